import type { WireRow } from './recorded.ts';
import type { Point } from './series.ts';

/** Kalshi rows as of a clock in UTC milliseconds. */
export interface KalshiCatalog {
  seriesAt(now: number): WireRow[];
  /** Event rows without nested markets. */
  eventsAt(now: number): WireRow[];
  marketsAt(now: number): WireRow[];
  /** Candle rows of one market, oldest first; undefined for a market that is not known. */
  candlesOf(ticker: string, periodMinutes: number, now: number): WireRow[] | undefined;
  /** Body of the order book answer; undefined where none was recorded. */
  orderbookAt(ticker: string, now: number): WireRow | undefined;
}

/** Polymarket rows as of a clock in UTC milliseconds, in the venue's order; books and price points by token. */
export interface PolymarketCatalog {
  eventsAt(now: number): WireRow[];
  marketsAt(now: number): WireRow[];
  bookAt(token: string, now: number): WireRow | undefined;
  pointsOf(token: string): readonly Point[];
  /** The recorded first page of the CLOB's `/markets`, with the cursor it ended on. */
  marketsPage(now: number): WireRow | undefined;
}

/** A recording ready to be answered from: both venues, and the instant its clock stands at first. */
export interface Scenario {
  recorded_at: string;
  kalshi: KalshiCatalog;
  polymarket: PolymarketCatalog;
}

/** A Kalshi without any market. */
export const noKalshi: KalshiCatalog = {
  seriesAt: () => [],
  eventsAt: () => [],
  marketsAt: () => [],
  candlesOf: () => undefined,
  orderbookAt: () => undefined,
};

/** A Polymarket without any market. */
export const noPolymarket: PolymarketCatalog = {
  eventsAt: () => [],
  marketsAt: () => [],
  bookAt: () => undefined,
  pointsOf: () => [],
  marketsPage: () => undefined,
};
