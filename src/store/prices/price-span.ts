import type { MakeColumn } from '../../model/column-room.ts';
import type { PriceColumn, Series } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import { instantAt, type StoredColumn, type StoredInstants, valueAt } from './price-codec.ts';

/** What is wanted of a market's observations. */
export interface PriceSpan {
  /** One series, or all when left out. */
  series?: Series;
  from: Instant;
  until: Instant;
  /** Adds, of each series, the last observation before `from` and the last with this column: both were in force. */
  carry?: PriceColumn;
  /** Columns wanted; all when left out. */
  columns?: readonly PriceColumn[];
  /** Leaves out what was recorded later: what was known at this instant. */
  knownAt?: Instant;
  /** Where the columns of numbers are put; each is its own when left out. */
  make?: MakeColumn;
}

/** Observations of a stretch of one series as they are stored: in time order, revisions side by side. */
export interface Part {
  /** Its place in SERIES. */
  series: number;
  points: number;
  observed: StoredInstants;
  recorded: StoredInstants;
  columns: StoredColumn[];
}

/** The first place of a part at or after an instant. */
export function firstPlace({ observed, points }: Part, at: Instant): number {
  let [low, high] = [0, points];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (instantAt(observed, middle) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The place of what was in force in a part when a span began: its last observation before it that was known by then.
 * Of each instant the last revision that was known counts, and stands after the others.
 *
 * @param column the place of a column that the observation must have
 * @returns -1 where there is none
 */
export function lastKnownPlace(part: Part, { from, knownAt }: PriceSpan, column?: number): number {
  const values = column === undefined ? undefined : part.columns[column];
  if (column !== undefined && values === undefined) return -1;
  let revised: Instant | undefined;
  for (let place = firstPlace(part, from) - 1; place >= 0; place--) {
    const at = instantAt(part.observed, place);
    if (at === revised || (knownAt !== undefined && instantAt(part.recorded, place) > knownAt)) continue;
    if (values === undefined || !Number.isNaN(valueAt(values, place))) return place;
    revised = at;
  }
  return -1;
}
