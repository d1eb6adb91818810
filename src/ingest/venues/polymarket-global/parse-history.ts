import { type Observation, usableTrade } from '../../../model/observation.ts';
import type { Instant } from '../../../model/units.ts';
import type { ListingPage } from '../../page-walk.ts';
import { fieldText, type ReadPage, readEnvelope, readRow } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

/** Points of a token's price history. */
export interface HistoryPage extends ListingPage, ReadPage {
  observations: Observation[];
  /** The point before the first one that was left out; the answer's order is oldest first. */
  heldAt?: Instant;
}

/**
 * Reads a page of the data API's price history. A point of exactly 0 or 1 is a settlement or no trade, and one
 * after `now` is not yet; both are no observations. The raw tick at the end (resolution 0) is one, unless the
 * market is decided: then it is what the contract pays.
 */
export function parseHistoryPage(json: unknown, now: Instant, decided: boolean): HistoryPage {
  const { data, pagination } = readEnvelope(wire.historyPage, json);
  const page = emptyPage(data, pagination?.next_cursor);
  for (const [position, value] of data.entries()) {
    const row = readRow(page, wire.historyPoint, value, { position, idField: 'timestamp' });
    if (!row) hold(page);
    else if (!(decided && row.resolution_seconds === 0)) addPoint(page, row.timestamp, row.price, now);
  }
  return page;
}

/** Reads the CLOB's price history of a token: the same points without their resolution. */
export function parseTokenHistory(json: unknown, now: Instant): HistoryPage {
  const { history } = readEnvelope(wire.tokenHistory, json);
  const page = emptyPage(history, undefined);
  for (const [position, value] of history.entries()) {
    const row = readRow(page, wire.tokenPoint, value, { position, idField: 't' });
    if (row) addPoint(page, row.t, row.p, now);
    else hold(page);
  }
  return page;
}

// A page holds thousands of points: its first one tells it apart from another.
function emptyPage(points: readonly unknown[], next: string | undefined): HistoryPage {
  const ids = points.slice(0, 1).map((first) => fieldText(first, 'timestamp') ?? '');
  return { next, ids, read: points.length, observations: [], rejections: [] };
}

function hold(page: HistoryPage): void {
  page.heldAt ??= page.observations.at(-1)?.observed_at ?? 0;
}

function addPoint(page: HistoryPage, observed_at: Instant, price: number | undefined, now: Instant): void {
  const last = usableTrade(price);
  if (last !== undefined && observed_at <= now) page.observations.push({ observed_at, last });
}
