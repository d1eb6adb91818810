import type { Point } from '../../charts/line.ts';
import type { SeriesKind } from '../../model/constituent-id.ts';
import { DAY_MS, easternDay } from '../../model/time.ts';
import { type Instant, toCents, toLevel } from '../../model/units.ts';
import { findSeriesStart } from '../../store/prints/divisor-steps.ts';
import { findLastValue, listCloseValues } from '../../store/prints/known-prints.ts';
import type { Reader } from '../../store/store.ts';
import { linesAt } from '../public-series.ts';

/** Daily closes of a card's line; the latest print stands after them. */
const CLOSES = 90;

/**
 * The line of a card: the daily closes of the last 90 days, and the latest print; levels of an index, cents of a rate. A
 * series that began anew has none of those before.
 */
export function cardLine(reader: Reader, kind: SeriesKind, ticker: string, now: Instant): Point[] {
  const values: Point[] = listCloseValues(reader, { kind, ticker }, easternDay(now), CLOSES);
  const last = findLastValue(reader, { kind, ticker }, now);
  if (last && last.at !== values.at(-1)?.at) values.push(last);
  const start = kind === 'index' ? findSeriesStart(reader, ticker, now) : undefined;
  const from = Math.max(now - (CLOSES + 1) * DAY_MS, start ?? 0);
  const written = kind === 'index' ? toLevel : toCents;
  return values.filter(({ at }) => at >= from).map(({ at, value }) => ({ at, value: written(value) }));
}

/** The number of constituents that did not enter the last print because their trading was halted. */
export function countHalted(reader: Reader, ticker: string, now: Instant): number {
  const lines = linesAt(reader, { kind: 'index', ticker }, now);
  return lines.filter((line) => line.exclude_reason === 'halted').length;
}
