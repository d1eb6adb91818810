import { given } from '../../../model/given.ts';
import { type Observation, usableQuote } from '../../../model/observation.ts';
import { HOUR_MS } from '../../../model/time.ts';
import type { Instant, Probability } from '../../../model/units.ts';
import { roundTo } from '../../../model/units.ts';
import type { HistoryRows } from '../../prices/collect-histories.ts';
import type { Span } from '../../prices/history-span.ts';
import { leaveOut, type RowPlace, readEnvelope, readRow, reject } from '../../wire/wire-rows.ts';
import * as wire from './wire.ts';

/** The Yes side as the venue displayed it: the ask, and as bid a dollar less the No side's price. */
export interface DisplayPoint {
  at: Instant;
  bid: Probability | undefined;
  ask: Probability | undefined;
}

export interface DisplayPage extends HistoryRows {
  points: DisplayPoint[];
}

/**
 * Parses display prices. A long price is the ask and a short price is 1 less the bid; floating-point noise is rounded
 * away. A side at 0 or 1 is empty.
 */
export function parseHistory(json: unknown): DisplayPage {
  const { history } = readEnvelope(wire.priceHistory, json);
  const page: DisplayPage = { read: history.length, points: [], rejections: [] };
  for (const [position, value] of history.entries()) {
    const point = readPoint(page, value, { position, idField: 'timestamp' });
    if (point) page.points.push(point);
    else page.heldAt ??= page.points.at(-1)?.at ?? 0;
  }
  return page;
}

function readPoint(page: DisplayPage, value: unknown, place: RowPlace): DisplayPoint | undefined {
  const row = readRow(page, wire.displayPoint, value, place);
  if (!row) return undefined;
  const { timestamp, longPrice, shortPrice } = row;
  if (longPrice === undefined && shortPrice === undefined) {
    leaveOut(page, reject(value, place, 'longPrice', 'longPrice or shortPrice must be there'));
    return undefined;
  }
  const bid = shortPrice === undefined ? undefined : roundTo(1 - shortPrice, 4);
  const ask = longPrice === undefined ? undefined : roundTo(longPrice, 4);
  return { at: timestamp, bid: usableQuote(bid), ask: usableQuote(ask) };
}

/**
 * Hourly candles of display prices. Each is dated at the end of its hour and has the last point in it; of points at one
 * instant the later in order counts. Hours without a point, and those that have not ended, have no candle.
 */
export function candlesOf(points: readonly DisplayPoint[], { from, to }: Span): Observation[] {
  const byHour = new Map<Instant, DisplayPoint>();
  for (const point of points) {
    const end = Math.ceil(point.at / HOUR_MS) * HOUR_MS;
    if (end <= from || end > to) continue;
    const before = byHour.get(end);
    if (!before || point.at >= before.at) byHour.set(end, point);
  }
  return [...byHour]
    .sort(([a], [b]) => a - b)
    .map(([observed_at, { bid, ask }]) => ({ observed_at, ...given({ bid, ask }) }));
}
