import type { z } from 'zod';
import { type Observation, usableTrade } from '../../../model/observation.ts';
import type { Instant } from '../../../model/units.ts';
import type { ListingPage } from '../../page-walk.ts';
import type { HistoryRows } from '../../prices/collect-histories.ts';
import { instantOfSeconds, MOST_AMOUNT } from '../../wire/wire-numbers.ts';
import { fieldText, readEnvelope, readRow } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

export interface HistoryPage extends ListingPage, HistoryRows {
  observations: Observation[];
}

/**
 * Parses a page of the data API's price history. A point of exactly 0 or 1 is a settlement or means no trade; it is
 * skipped, as are points after `now`. The raw tick at the end (resolution 0) counts, unless the market is decided: then
 * it is the payout.
 */
export function parseHistoryPage(json: unknown, now: Instant, decided: boolean): HistoryPage {
  const { data, pagination } = readEnvelope(wire.historyPage, json);
  const page = pageOf(data, pagination?.next_cursor);
  for (let position = 0; position < data.length; position++) {
    const value = data[position];
    const row =
      plainPoint(value) ?? readRow(page, wire.historyPoint, value, { position, idField: 'timestamp' });
    if (!row) hold(page);
    else if (!(decided && row.resolution_seconds === 0)) addPoint(page, row.timestamp, row.price, now);
  }
  return page;
}

type HistoryPoint = z.output<typeof wire.historyPoint>;

/**
 * Reads a point by hand if its fields are numbers within their limits, as nearly always: points are most of what the venue
 * answers, and by the schema each takes four times as long. The schema reads the others and says what is wrong with them.
 */
function plainPoint(value: unknown): HistoryPoint | undefined {
  const { timestamp, price, resolution_seconds } = (value ?? {}) as Record<keyof HistoryPoint, unknown>;
  if (typeof timestamp !== 'number' || typeof price !== 'number' || typeof resolution_seconds !== 'number')
    return undefined;
  const at = instantOfSeconds(timestamp);
  const isWithin = price >= 0 && price <= 1 && resolution_seconds >= 0 && resolution_seconds <= MOST_AMOUNT;
  return at !== undefined && isWithin ? { timestamp: at, price, resolution_seconds } : undefined;
}

/** Parses the CLOB's price history of a token: the same points without their resolution. */
export function parseTokenHistory(json: unknown, now: Instant): HistoryPage {
  const { history } = readEnvelope(wire.tokenHistory, json);
  const page = pageOf(history, undefined);
  for (const [position, value] of history.entries()) {
    const row = readRow(page, wire.tokenPoint, value, { position, idField: 't' });
    if (row) addPoint(page, row.t, row.p, now);
    else hold(page);
  }
  return page;
}

// A page has thousands of points; the first one is enough to identify it.
function pageOf(points: readonly unknown[], next: string | undefined): HistoryPage {
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
