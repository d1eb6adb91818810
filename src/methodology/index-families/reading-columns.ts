import { type Columns, ownColumns } from '../../model/column-room.ts';
import { EXCLUDE_REASONS, isFinal, MARK_BASES, type MarkBasis } from '../../model/mark.ts';
import { codeOf } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { Reading } from './member-readings.ts';

/** The readings of one constituent at some instants: one array per column, one value per instant. */
export interface ReadingColumns {
  /** Position in MARK_BASES, counted from 1; 0 for a failed reading. */
  basis: Uint8Array;
  /** Position in EXCLUDE_REASONS, counted from 1, of a failed reading; otherwise 0. */
  reason: Uint8Array;
  /** NaN where absent, as in the following columns. */
  price: Float64Array;
  observed_at: Float64Array;
  spread: Float64Array;
  /** True if all are good; if false, they still may be. */
  allGood: boolean;
  /** Whether steps have moved an index from its print at an earlier instant to that at the i-th; absent if none ever did. */
  isLinked?: (since: Instant, i: number) => boolean;
}

/** Columns whose numbers are yet to be written. */
export function blankReadings(count: number, into: Columns = ownColumns): ReadingColumns {
  return {
    basis: into.codes(count),
    reason: into.codes(count),
    price: into.column(count),
    observed_at: into.column(count),
    spread: into.column(count),
    allGood: false,
  };
}

/** The readings at some instants as columns. @param read the reading at the i-th instant */
export function readingColumns(count: number, read: (i: number) => Reading): ReadingColumns {
  const columns = blankReadings(count);
  for (let i = 0; i < count; i++) {
    const reading = read(i);
    if (reading.kind === 'failed') {
      fail(columns, i, codeOf(EXCLUDE_REASONS, reading.reason));
      continue;
    }
    columns.price[i] = reading.price;
    columns.observed_at[i] = reading.observed_at;
    columns.basis[i] = codeOf(MARK_BASES, reading.basis);
    columns.spread[i] = (reading.kind === 'good' ? reading.spread : undefined) ?? Number.NaN;
  }
  return columns;
}

/** Writes a failed reading. @param reason position in EXCLUDE_REASONS, counted from 1 */
export function fail(columns: ReadingColumns, i: number, reason: number): void {
  columns.reason[i] = reason;
  columns.price[i] = columns.observed_at[i] = columns.spread[i] = Number.NaN;
}

/** The readings at some of the instants. @param places positions, ascending */
export function pickReadings(columns: ReadingColumns, places: readonly number[]): ReadingColumns {
  const picked = new Set(places);
  return changed(columns, (column) => column.filter((_value, i) => picked.has(i)));
}

/** The readings from one position up to but not including another, without copying. */
export function cutReadings(columns: ReadingColumns, from: number, until: number): ReadingColumns {
  if (from === 0 && until === columns.basis.length) return columns;
  return changed(columns, (column) => column.subarray(from, until));
}

function changed(
  { basis, reason, price, observed_at, spread, allGood }: ReadingColumns,
  change: (column: Uint8Array | Float64Array) => Uint8Array | Float64Array,
): ReadingColumns {
  const codes = (column: Uint8Array) => change(column) as Uint8Array;
  const numbers = (column: Float64Array) => change(column) as Float64Array;
  return {
    basis: codes(basis),
    reason: codes(reason),
    price: numbers(price),
    observed_at: numbers(observed_at),
    spread: numbers(spread),
    allGood,
  };
}

/** Whether a constituent is live and passes every check at an instant. */
export function isGoodAt(columns: ReadingColumns, i: number): boolean {
  return columns.reason[i] === 0 && !isFinal(basisAt(columns, i));
}

function basisAt({ basis }: ReadingColumns, i: number): MarkBasis {
  return MARK_BASES[(basis[i] as number) - 1] as MarkBasis;
}

export function readingAt(columns: ReadingColumns, i: number): Reading {
  const price = columns.price[i] as number;
  const observed_at = columns.observed_at[i] as number;
  const reason = EXCLUDE_REASONS[(columns.reason[i] as number) - 1];
  if (reason) return { kind: 'failed', reason };
  const basis = basisAt(columns, i);
  if (isFinal(basis)) return { kind: 'settled', price, basis, observed_at };
  const spread = columns.spread[i] as number;
  const reading = { kind: 'good', price, basis, observed_at } as const;
  return Number.isNaN(spread) ? reading : { ...reading, spread };
}
