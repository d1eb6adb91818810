import type { Columns } from '../../model/column-room.ts';
import { firstPlaceThat } from '../../model/first-place.ts';
import type { PriceColumn, Series } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import { instantAt, type StoredColumn, type StoredInstants, valueAt } from './price-codec.ts';

/** Selects observations of a market. */
export interface PriceSpan {
  /** One series, or all when left out. */
  series?: Series;
  from: Instant;
  until: Instant;
  /**
   * Also selects the observations in force at `from`: of each series the last before it, and the last with this column.
   */
  carry?: PriceColumn;
  /** The columns to read; all when left out. */
  columns?: readonly PriceColumn[];
  /** Only what was known at this instant: leaves out what was recorded later. */
  knownAt?: Instant;
  /** Allocates the columns; each is a separate array when left out. */
  into?: Columns;
}

/** Observations of one series as they are stored, for instance a chunk: in time order, revisions next to each other. */
export interface Part {
  /** Position of the series in SERIES. */
  series: number;
  points: number;
  observed: StoredInstants;
  recorded: StoredInstants;
  columns: StoredColumn[];
}

/** The first place in a part at or after an instant. */
export function firstPlace({ observed, points }: Part, at: Instant): number {
  return firstPlaceThat(points, (place) => instantAt(observed, place) >= at);
}

/**
 * The place of the observation of a part that was in force when a span began: the last one before it, as known at
 * `knownAt`. The revisions of an instant are in order of recording, and the last known one counts.
 *
 * @param column position of a column that the observation must have
 * @returns -1 if there is none
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
