import type { WireRow } from './recorded.ts';
import type { Answer } from './route.ts';

/** Kalshi rows as of a clock in UTC milliseconds. */
export interface KalshiCatalog {
  /** Series of one category, or all of them for null. */
  seriesAt(now: number, category: string | null): WireRow[];
  /** Event rows without nested markets. */
  eventsAt(now: number): WireRow[];
  /** Rows of the markets list. */
  marketsAt(now: number): WireRow[];
  /** Markets known from a single answer only: found by ticker or event, never by walking the list. */
  unlistedMarketsAt(now: number): WireRow[];
  /** Candle rows of one market, oldest first; undefined for a market that is not known. */
  candlesOf(ticker: string, periodMinutes: number, now: number): WireRow[] | undefined;
  /** Body of the order book answer; undefined where none was recorded. */
  orderbookAt(ticker: string, now: number): WireRow | undefined;
  /** Trades, newest first. */
  tradesAt(now: number): WireRow[];
  /** Cursors the recorded first pages ended on; what came after them was not recorded. */
  cursors: { events?: string; markets?: string; trades?: string };
}

/** Body for a path or a name Kalshi does not have. */
export const kalshiNotFound: Answer = {
  status: 404,
  body: { error: { code: 'not_found', message: 'not found' } },
};

/** A 400 in the venue's shape. */
export function badRequest(message: string): Answer {
  return { status: 400, body: { error: { code: 'bad_request', message } } };
}
