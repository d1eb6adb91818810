/** Rows exactly as the venues write them, small; a test changes what it is about. */

type Row = Record<string, unknown>;

/** A Kalshi market of today: dollar texts and `_fp` counts. */
export function kalshiMarket(ticker: string, changes: Row = {}): Row {
  return {
    ticker,
    event_ticker: 'KXRAIN-26NOV',
    market_type: 'binary',
    title: 'Will it rain?',
    yes_sub_title: ticker.split('-').at(-1),
    no_sub_title: '',
    created_time: '2026-10-01T12:00:00.123456Z',
    open_time: '2026-10-01T14:00:00Z',
    close_time: '2026-12-01T05:00:00Z',
    status: 'active',
    yes_bid_dollars: '0.4100',
    yes_bid_size_fp: '12.00',
    yes_ask_dollars: '0.4300',
    yes_ask_size_fp: '30445.75',
    no_bid_dollars: '0.5700',
    no_ask_dollars: '0.5900',
    last_price_dollars: '0.4200',
    volume_fp: '2573.91',
    volume_24h_fp: '323.54',
    open_interest_fp: '2287.91',
    result: '',
    settlement_value_dollars: null,
    rules_primary: 'If it rains, the market resolves to Yes.',
    rules_secondary: 'Drizzle counts.',
    ...changes,
  };
}

/** A Kalshi market of January 2026: integer cents beside dollar texts, no sizes. */
export function kalshiMarketInCents(ticker: string, changes: Row = {}): Row {
  return {
    ticker,
    event_ticker: 'KXMARS-99',
    title: 'Will somebody visit Mars?',
    yes_sub_title: 'Mars',
    created_time: '0001-01-01T00:00:00Z',
    open_time: '2025-08-28T20:45:00Z',
    close_time: '2099-08-01T04:59:00Z',
    status: 'active',
    yes_bid: 6,
    yes_ask: 7,
    last_price: 6,
    volume: 35001,
    open_interest: 13679,
    result: '',
    rules_primary: 'If somebody visits Mars, the market resolves to Yes.',
    rules_secondary: '',
    ...changes,
  };
}

/** A Kalshi event with its markets. */
export function kalshiEvent(markets: readonly unknown[] | undefined, changes: Row = {}): Row {
  return {
    event_ticker: 'KXRAIN-26NOV',
    series_ticker: 'KXRAIN',
    title: 'Rain in November',
    sub_title: 'In New York',
    category: 'Climate and Weather',
    mutually_exclusive: false,
    strike_date: null,
    ...(markets === undefined ? {} : { markets }),
    ...changes,
  };
}

/** An hourly Kalshi candle of today; `price: {}` when nothing traded. */
export function kalshiCandle(end: number, changes: Row = {}): Row {
  const range = (close: string) => ({
    open_dollars: close,
    high_dollars: close,
    low_dollars: close,
    close_dollars: close,
  });
  return {
    end_period_ts: end,
    yes_bid: range('0.4100'),
    yes_ask: range('0.4300'),
    price: {},
    volume_fp: '0.00',
    open_interest_fp: '10.00',
    ...changes,
  };
}

/** A condition id of Polymarket, made of a number. */
export function conditionId(number: number): string {
  return `0x${number.toString(16).padStart(64, '0')}`;
}

/** A Gamma market as an event embeds it. */
export function gammaMarket(number: number, changes: Row = {}): Row {
  return {
    id: String(500_000 + number),
    question: `Will candidate ${number} win?`,
    conditionId: conditionId(number),
    slug: `will-candidate-${number}-win`,
    description: 'Resolves to Yes if so.',
    endDate: '2028-11-07T00:00:00Z',
    startDate: '2026-07-11T18:36:02.893Z',
    createdAt: '2026-07-03T20:37:02.834964Z',
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.41", "0.59"]',
    volume: '12232.5',
    volumeNum: 12232.5,
    active: true,
    closed: false,
    archived: false,
    acceptingOrders: true,
    enableOrderBook: true,
    clobTokenIds: JSON.stringify([`${number}01`, `${number}02`]),
    version: 'v1',
    umaResolutionStatus: '',
    bestBid: 0.4,
    bestAsk: 0.42,
    lastTradePrice: 0.41,
    ...changes,
  };
}

/** A Gamma event with its markets. */
export function gammaEvent(markets: readonly unknown[], changes: Row = {}): Row {
  return {
    id: '30829',
    ticker: 'nominee-2028',
    slug: 'nominee-2028',
    title: 'Nominee 2028',
    description: 'Who will be nominated?',
    createdAt: '2026-07-03T20:36:57.824243Z',
    endDate: '2028-11-07T00:00:00Z',
    volume: 799823812.487094,
    openInterest: 0,
    closed: false,
    series: [],
    tags: [],
    markets,
    ...changes,
  };
}
