import { DAY, HOUR, iso } from '../calendar.ts';
import { type KalshiEvent, type KalshiMarket, openDesk } from '../catalog.ts';
import type { KalshiSeries } from '../topics/topic.ts';
import { findHalt, type Lifecycle, payoutOf } from '../truth/contracts.ts';
import { bookAt, type Desk, DOLLAR, isFresh, type Quote, quoteAt, type Rung } from '../truth/quotes.ts';
import { findLastTrade, openInterestAt, volumeAt } from '../truth/trades.ts';
import type { World } from '../world.ts';

const PRICE_TEXTS = Array.from({ length: DOLLAR + 1 }, (_, price) => (price / DOLLAR).toFixed(4));

const RANGES = {
  linear_cent: [{ start: '0.0000', end: '1.0000', step: '0.0100' }],
  tapered_deci_cent: [
    { start: '0.0000', end: '0.1000', step: '0.0010' },
    { start: '0.1000', end: '0.9000', step: '0.0100' },
    { start: '0.9000', end: '1.0000', step: '0.0010' },
  ],
};

/** The eight states of a market's life. */
export type KalshiStatus =
  | 'initialized'
  | 'active'
  | 'inactive'
  | 'closed'
  | 'determined'
  | 'disputed'
  | 'amended'
  | 'finalized';

/** A price in ten-thousandths of a dollar as sent by the venue: 5600 is "0.5600". */
export function dollars(price: number): string {
  return PRICE_TEXTS[price] ?? (price / DOLLAR).toFixed(4);
}

/** Hundredths of a contract as sent by the venue: 3044575 is "30445.75". */
export function contracts(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

/** State of a market at an instant; undefined before it was created. */
export function kalshiStatus(desk: Desk, at: number): KalshiStatus | undefined {
  const { life } = desk;
  if (at < life.created_at) return undefined;
  if (at < life.open_at) return 'initialized';
  if (at < life.close_at) return findHalt(desk.habits, at) === undefined ? 'active' : 'inactive';
  if (at < life.determined_at) return 'closed';
  if (at >= life.finalized_at) return 'finalized';
  if (!life.disputed) return 'determined';
  // A dispute opens an hour after the result and is decided two hours before the end.
  if (at < life.determined_at + HOUR) return 'determined';
  return at < life.finalized_at - 2 * HOUR ? 'disputed' : 'amended';
}

/** The last instant up to now at which something other than trading changed. */
export function updatedAt(life: Lifecycle, now: number): number {
  const changes = [life.created_at, life.open_at, life.close_at, life.determined_at, life.finalized_at];
  return Math.max(...changes.filter((at) => at <= now));
}

/** A market as `/markets` shows it at the world's instant. */
export function marketRow(world: World, market: KalshiMarket): Record<string, unknown> {
  const now = world.now();
  const desk = openDesk(world.truth, market.contract);
  const { life } = desk;
  const text = market.text();
  const { face } = market.event;
  const status = kalshiStatus(desk, now) ?? 'initialized';
  const volume = volumeAt(desk, now);
  const last = findLastTrade(desk, now);
  const before = findLastTrade(desk, now - DAY);
  const yesterday = shownSides(desk, quoteAt(desk, now - DAY), now - DAY);
  const existed = now - DAY >= life.open_at;
  return {
    ticker: market.ticker,
    event_ticker: face.event_ticker,
    market_type: 'binary',
    title: text.title,
    subtitle: '',
    yes_sub_title: text.yes_sub_title,
    no_sub_title: text.yes_sub_title,
    created_time: iso(life.created_at),
    updated_time: iso(updatedAt(life, now)),
    open_time: iso(life.open_at),
    close_time: iso(life.close_at),
    expected_expiration_time: iso(life.close_at + HOUR),
    expiration_time: iso(life.close_at + 7 * DAY),
    latest_expiration_time: iso(life.close_at + 7 * DAY),
    occurrence_datetime: iso(market.contract.event.known_at),
    settlement_timer_seconds: 1800,
    status,
    ...quoteFields(desk, now),
    last_price_dollars: dollars(last?.price ?? 0),
    previous_yes_bid_dollars: existed ? dollars(yesterday.bid) : '0.0000',
    previous_yes_ask_dollars: existed ? dollars(yesterday.ask) : '0.0000',
    previous_price_dollars: dollars(before?.price ?? 0),
    volume_fp: contracts(volume),
    volume_24h_fp: contracts(volume - volumeAt(desk, now - DAY)),
    open_interest_fp: contracts(openInterestAt(desk, now)),
    notional_value_dollars: '1.0000',
    ...resultFields(world, market, life, now),
    can_close_early: true,
    early_close_condition: 'This market closes early once the outcome is known.',
    strike_type: text.strike_type,
    ...(text.floor_strike === undefined ? {} : { floor_strike: text.floor_strike }),
    ...(text.cap_strike === undefined ? {} : { cap_strike: text.cap_strike }),
    ...(text.strike_type === 'structured' || text.strike_type === 'custom'
      ? { custom_strike: { Outcome: text.yes_sub_title } }
      : {}),
    rules_primary: text.rules,
    rules_secondary: '',
    price_level_structure: face.grid,
    price_ranges: RANGES[face.grid],
    is_provisional: false,
    exchange_index: 0,
  };
}

/** Best bid and ask as sent by the venue: an empty side is 0 and a dollar, a fresh book 0 and 0. */
function shownSides(desk: Desk, quote: Quote, at: number): { bid: number; ask: number } {
  const fresh = quote.bid === undefined && quote.ask === undefined && at < desk.life.close_at;
  return { bid: quote.bid ?? 0, ask: quote.ask ?? (fresh && isFresh(desk, at) ? 0 : DOLLAR) };
}

function quoteFields(desk: Desk, now: number): Record<string, string> {
  const quote = quoteAt(desk, now);
  const { bid, ask } = shownSides(desk, quote, now);
  return {
    yes_bid_dollars: dollars(bid),
    yes_ask_dollars: dollars(ask),
    no_bid_dollars: dollars(DOLLAR - ask),
    no_ask_dollars: dollars(DOLLAR - bid),
    yes_bid_size_fp: contracts(quote.bid_size ?? 0),
    yes_ask_size_fp: contracts(quote.ask_size ?? 0),
  };
}

function resultFields(world: World, market: KalshiMarket, life: Lifecycle, now: number) {
  if (now < life.determined_at) return { result: '', expiration_value: '' };
  const pays = payoutOf(world.truth, market.contract);
  return {
    result: pays === 1 ? 'yes' : pays === 0 ? 'no' : 'scalar',
    expiration_value: pays === 0.5 ? 'void' : pays === 1 ? 'Yes' : 'No',
    settlement_value_dollars: dollars(pays * DOLLAR),
    ...(now >= life.finalized_at ? { settlement_ts: iso(life.finalized_at) } : {}),
  };
}

/** An event as `/events` shows it, with its markets on request. */
export function eventRow(world: World, event: KalshiEvent, nested?: KalshiMarket[]): Record<string, unknown> {
  const { face, truth } = event;
  return {
    event_ticker: face.event_ticker,
    series_ticker: face.series.ticker,
    title: face.title,
    sub_title: face.sub_title,
    collateral_return_type: face.mutually_exclusive ? 'MECNET' : '',
    mutually_exclusive: face.mutually_exclusive,
    category: face.series.category,
    strike_date: iso(truth.known_at),
    strike_period: null,
    product_metadata: null,
    settlement_sources: [{ name: face.series.source, url: '' }],
    last_updated_ts: iso(truth.listed_at),
    fee_type_override: null,
    fee_multiplier_override: null,
    exchange_index: 0,
    ...(nested === undefined ? {} : { markets: nested.map((market) => marketRow(world, market)) }),
  };
}

/** A series as `/series` shows it. */
export function seriesRow(series: KalshiSeries, epoch: number): Record<string, unknown> {
  return {
    ticker: series.ticker,
    title: series.title,
    frequency: series.frequency,
    category: series.category,
    categories: [series.category],
    tags: series.tags,
    settlement_sources: [{ name: series.source, url: '' }],
    contract_url: `https://example.invalid/product-certifications/${series.ticker}.pdf`,
    contract_terms_url: `https://example.invalid/contract-terms/${series.ticker}.pdf`,
    fee_type: 'quadratic',
    fee_multiplier: 1,
    additional_prohibitions: null,
    last_updated_ts: iso(epoch),
    exchange_index: 0,
  };
}

/** A market's book: both sides are bids, ascending, best last. */
export function bookRow(desk: Desk, now: number): { yes_dollars: string[][]; no_dollars: string[][] } {
  const { bids, asks } = bookAt(desk, now);
  const shown = (rungs: Rung[], price: (rung: Rung) => number) =>
    rungs.toReversed().map((rung) => [dollars(price(rung)), contracts(rung.size)]);
  return {
    yes_dollars: shown(bids, ({ price }) => price),
    no_dollars: shown(asks, (rung) => DOLLAR - rung.price),
  };
}
