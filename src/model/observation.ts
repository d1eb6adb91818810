import type { Instant, Probability } from './units.ts';

/**
 * How a price was observed. `quote`: the best bid and ask at an instant, with the last trade. `candle_60` and
 * `candle_1440`: the venue's hourly or daily candle, with bid and ask at its end. `trades_60` and `trades_1440`: the
 * trades of an hour or a day; `trades`: the trades at an instant. `history`: points of a price history whose meaning
 * the venue does not state, or other prices without a book; they are not treated as trades.
 */
export const SERIES = [
  'quote',
  'candle_60',
  'candle_1440',
  'history',
  'trades_60',
  'trades_1440',
  'trades',
] as const;
export type Series = (typeof SERIES)[number];

/** Whether observations of a series describe the order book, so that an absent side means an empty one. */
export function knowsBook(series: Series): boolean {
  return series === 'quote' || series.startsWith('candle_');
}

/** The columns of an observation, in the order in which they are stored. */
export const PRICE_COLUMNS = [
  'bid',
  'ask',
  'last',
  'open',
  'high',
  'low',
  'volume',
  'open_interest',
] as const;
export type PriceColumn = (typeof PRICE_COLUMNS)[number];

/**
 * An observation of a contract's Yes side at one instant. Prices are fractions; a bid or ask is absent when it is
 * empty, without size, or at 0 or 1. The instant of a candle is its end; `last` is the last trade until then, and
 * `open`, `high` and `low` are absent when nothing traded in it.
 */
export type Observation = { observed_at: Instant } & { [Column in PriceColumn]?: number };

export type SeenPrices = Omit<Observation, 'observed_at'>;

/**
 * Observations of one market in time order, one array per column; absent values are NaN. `series[i]` is the position of
 * the observation's series in SERIES.
 */
export type PriceColumns = {
  observed_at: Float64Array;
  series: Uint8Array;
} & { [Column in PriceColumn]?: Float64Array };

export interface ObservationBatch {
  series: Series;
  observations: Observation[];
}

/**
 * A bid or ask if it is usable: strictly between 0 and 1 and, if the venue gives sizes, with a size above 0.
 *
 * @returns undefined when the side is empty (a bid of 0 and an ask of 100 are both an empty side)
 */
export function usableQuote(price: number | undefined, size?: number): Probability | undefined {
  if (price === undefined || !(price > 0 && price < 1)) return undefined;
  return size === undefined || size > 0 ? price : undefined;
}

/** A trade price if it is usable: strictly between 0 and 1. Venues use 0 for "not traded yet". */
export function usableTrade(price: number | undefined): Probability | undefined {
  return price !== undefined && price > 0 && price < 1 ? price : undefined;
}
