import type { Point } from '../../charts/line.ts';
import type { SeriesKind } from '../../model/constituent-id.ts';
import { DAY_MS, easternDay } from '../../model/time.ts';
import { type Instant, toCents, toLevel } from '../../model/units.ts';
import { findIndexPrint, listIndexPrints } from '../../store/prints/index-prints.ts';
import { listRatePrints } from '../../store/prints/rate-prints.ts';
import { listCloses } from '../../store/prints/standings.ts';
import type { Reader } from '../../store/store.ts';

/** Daily closes of a card's line; the latest print stands after them. */
const CLOSES = 90;

/** The line of a card: the daily closes of the last 90 days, and the latest print; levels of an index, cents of a rate. */
export function cardLine(reader: Reader, kind: SeriesKind, ticker: string, now: Instant): Point[] {
  const from = now - (CLOSES + 1) * DAY_MS;
  const prints =
    kind === 'index'
      ? listIndexPrints(reader, ticker, from, now).map(({ at, level }) => ({ at, value: toLevel(level) }))
      : listRatePrints(reader, ticker, from, now).map(({ at, price }) => ({ at, value: toCents(price) }));
  const closes = listCloses(reader, kind, ticker, CLOSES, easternDay(now));
  const kept = new Set(closes.map((close) => close.at));
  return prints.filter((print, i) => kept.has(print.at) || i === prints.length - 1);
}

/** The number of constituents that did not enter the last print because their trading was halted. */
export function countHalted(reader: Reader, ticker: string, now: Instant): number {
  const lines = findIndexPrint(reader, ticker, now)?.lines ?? [];
  return lines.filter((line) => line.exclude_reason === 'halted').length;
}
