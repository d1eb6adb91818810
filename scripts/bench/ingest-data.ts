/** The pages that the ingest bench reads: in the venues' formats, invented, and the same each time. */

/** A page as it comes over the wire. */
export type Page = Buffer;

const HOUR = 3600;
const CANDLES_A_MARKET = 90;
const MARKETS_A_CANDLE_PAGE = 100;
export const MARKETS_AN_EVENT = 10;
const EVENTS_A_PAGE = 100;

/** The ticker of the i-th market. */
export function tickerOf(i: number): string {
  return `KXBENCH-${String(i).padStart(7, '0')}`;
}

/** Pages of hourly candles that end at an instant, in seconds; 9,000 points each. */
export function candlePages(points: number, endAt: number): Page[] {
  const pages: Page[] = [];
  for (let from = 0; from * CANDLES_A_MARKET < points; from += MARKETS_A_CANDLE_PAGE) {
    const markets = Array.from({ length: MARKETS_A_CANDLE_PAGE }, (_, i) => ({
      market_ticker: tickerOf(from + i),
      candlesticks: Array.from({ length: CANDLES_A_MARKET }, (_none, hour) =>
        candle(from + i, endAt - (CANDLES_A_MARKET - hour) * HOUR),
      ),
    }));
    pages.push(Buffer.from(JSON.stringify({ markets })));
  }
  return pages;
}

const POINTS_A_HISTORY = 1500;

/** Pages of Polymarket's hourly price history that end at an instant, in seconds; each of one token. */
export function historyPages(points: number, endAt: number): Page[] {
  return Array.from({ length: Math.ceil(points / POINTS_A_HISTORY) }, (_, token) => {
    const data = Array.from({ length: POINTS_A_HISTORY }, (_none, hour) => ({
      timestamp: endAt - (POINTS_A_HISTORY - hour) * HOUR,
      price: Math.round(500 + 400 * Math.sin(token + hour / 200)) / 1000,
      resolution_seconds: HOUR,
    }));
    return Buffer.from(JSON.stringify({ data, pagination: { has_more: false } }));
  });
}

function candle(market: number, end: number) {
  const bid = 0.05 + ((market * 7 + (end / HOUR) * 3) % 80) / 100;
  const text = (price: number) => price.toFixed(4);
  const range = (close: number) => ({
    open_dollars: text(close - 0.01),
    high_dollars: text(close + 0.02),
    low_dollars: text(close - 0.02),
    close_dollars: text(close),
  });
  const traded = market % 3 === 0;
  return {
    end_period_ts: end,
    yes_bid: range(bid),
    yes_ask: range(bid + 0.03),
    price: traded ? range(bid + 0.01) : { previous_dollars: text(bid + 0.01) },
    volume_fp: traded ? '12.00' : '0.00',
    open_interest_fp: '340.00',
  };
}

/**
 * Pages of open events with their markets; 1,000 markets each.
 *
 * @param moved which markets have another price
 */
export function eventPages(markets: number, moved: (market: number) => boolean): Page[] {
  const pages: Page[] = [];
  const aPage = EVENTS_A_PAGE * MARKETS_AN_EVENT;
  for (let from = 0; from < markets; from += aPage) {
    const events = Array.from({ length: EVENTS_A_PAGE }, (_, i) =>
      eventRow(from / MARKETS_AN_EVENT + i, moved),
    );
    const cursor = from + aPage < markets ? String(from + aPage) : '';
    pages.push(Buffer.from(JSON.stringify({ events, milestones: [], cursor })));
  }
  return pages;
}

function eventRow(event: number, moved: (market: number) => boolean) {
  return {
    event_ticker: `EVBENCH-${event}`,
    series_ticker: 'KXBENCH',
    title: `How often will the thing numbered ${event} come about this year?`,
    sub_title: 'In 2026',
    mutually_exclusive: true,
    category: 'Economics',
    strike_date: '2026-12-31T23:59:00Z',
    markets: Array.from({ length: MARKETS_AN_EVENT }, (_, i) => {
      const market = event * MARKETS_AN_EVENT + i;
      return marketRow(market, event, moved(market) ? 1 : 0);
    }),
  };
}

/**
 * A market's row, including the fields that ingest does not read.
 *
 * @param moves how often its price moved, with ten contracts traded each time
 */
export function marketRow(market: number, event: number, moves: number) {
  const bid = 0.05 + (market % 80) / 100 + moves / 100;
  const text = (price: number) => price.toFixed(4);
  return {
    ticker: tickerOf(market),
    event_ticker: `EVBENCH-${event}`,
    market_type: 'binary',
    title: `Will the thing numbered ${event} come about more often than ${market % 10}?`,
    subtitle: '',
    yes_sub_title: `More than ${market % 10}`,
    no_sub_title: `More than ${market % 10}`,
    created_time: '2026-01-01T00:00:00Z',
    updated_time: '2026-01-02T00:00:00Z',
    open_time: '2026-01-02T00:00:00Z',
    close_time: '2026-12-31T23:59:00Z',
    expiration_time: '2027-01-07T23:59:00Z',
    settlement_timer_seconds: 1800,
    status: 'active',
    yes_bid_dollars: text(bid),
    yes_ask_dollars: text(bid + 0.03),
    no_bid_dollars: text(1 - bid - 0.03),
    no_ask_dollars: text(1 - bid),
    yes_bid_size_fp: '120.00',
    yes_ask_size_fp: '80.00',
    last_price_dollars: text(bid + 0.01),
    previous_yes_bid_dollars: text(bid),
    previous_yes_ask_dollars: text(bid + 0.03),
    previous_price_dollars: text(bid),
    volume_fp: `${market + moves * 10}.00`,
    volume_24h_fp: '12.00',
    open_interest_fp: '340.00',
    notional_value_dollars: '1.0000',
    result: '',
    can_close_early: true,
    strike_type: 'greater',
    floor_strike: market % 10,
    rules_primary: `If the thing numbered ${event} comes about more often than ${market % 10} times before the end of 2026, according to the office that counts it, then the market resolves to Yes.`,
    rules_secondary: '',
    price_level_structure: 'linear_cent',
    price_ranges: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
    is_provisional: false,
    exchange_index: 0,
  };
}
