import type { Instant, Probability } from './units.ts';

/**
 * How a price was observed. `quote`: the resting bids and asks at an instant, with the last trade.
 * `candle_60` and `candle_1440`: the venue's hourly or daily candle with bid and ask at its end.
 * `trades_60` and `trades_1440`: what traded in an hour or a day; `trades`: what traded at an instant. `history`: a
 * venue's price series whose meaning the venue does not state, and what came without a book: a price of its own, no
 * trade beside a book.
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

/** Whether observations of a series describe the book, so that a missing side means an empty one. */
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
 * What was seen of a contract's Yes side at one instant. Prices are fractions; a side that is empty, without
 * size, or at 0 or 1 is absent. A candle stands at its end; `last` is the last trade up to it, and `open`,
 * `high` and `low` are absent when nothing traded in it.
 */
export type Observation = { observed_at: Instant } & { [Column in PriceColumn]?: number };

/**
 * Observations of one market, one array a column, in time order; NaN where absent. `series[i]` is the place
 * of the observation's series in SERIES.
 */
export type PriceColumns = {
  observed_at: Float64Array;
  series: Uint8Array;
} & { [Column in PriceColumn]?: Float64Array };

/** Observations of one contract in one series. */
export interface ObservationBatch {
  series: Series;
  observations: Observation[];
}

/**
 * A bid or ask as it counts: strictly between 0 and 1 and, where the venue gives sizes, with size.
 *
 * @returns undefined when the side is empty (a bid of 0 and an ask of 100 are both an empty side)
 */
export function usableQuote(price: number | undefined, size?: number): Probability | undefined {
  if (price === undefined || !(price > 0 && price < 1)) return undefined;
  return size === undefined || size > 0 ? price : undefined;
}

/** A trade price as it counts: strictly between 0 and 1; a venue's 0 means that nothing traded yet. */
export function usableTrade(price: number | undefined): Probability | undefined {
  return price !== undefined && price > 0 && price < 1 ? price : undefined;
}
