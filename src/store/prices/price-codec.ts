import { type MakeColumn, ownColumn } from '../../model/column-room.ts';
import type { Instant } from '../../model/units.ts';

/**
 * How a column of a price chunk is written: two bytes a point, in hundredths of a cent, when every value is
 * such a number exactly, else eight bytes a point. Reading gives back the very numbers that were written.
 */

const HUNDREDTHS_OF_A_CENT = 10_000;
const MISSING = 0xffff;

/**
 * A column as bytes, or null when it is absent in every row.
 *
 * @param read the value of a row, undefined where absent
 */
export function encodeColumn<Row>(
  rows: readonly Row[],
  read: (row: Row) => number | undefined,
): Buffer | null {
  const values = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) values[i] = read(rows[i] as Row) ?? Number.NaN;
  const bytes = Buffer.allocUnsafe(rows.length * 8);
  const length = writeColumn(new DataView(bytes.buffer, bytes.byteOffset), 0, values);
  return length === 0 ? null : bytes.subarray(0, length);
}

/**
 * Writes a column into bytes that have room for eight a value.
 *
 * @param values NaN where absent
 * @returns the number of bytes that it took: 0 when every value is absent
 */
export function writeColumn(into: DataView, from: number, values: Float64Array): number {
  let absent = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    const isAbsent = Number.isNaN(value);
    if (isAbsent) absent++;
    // Adding 0 makes -0, which two bytes cannot say, differ from what it was.
    const units = isAbsent ? MISSING : Math.round(value * HUNDREDTHS_OF_A_CENT) + 0;
    const fits = units >= 0 && units < MISSING && Object.is(units / HUNDREDTHS_OF_A_CENT, value);
    if (!isAbsent && !fits) return writeDoubles(into, from, values);
    into.setUint16(from + i * 2, units, true);
  }
  return absent === values.length ? 0 : values.length * 2;
}

/** Writes eight bytes a value, for all that is absent the same. @returns the number of bytes that it took */
export function writeDoubles(into: DataView, from: number, values: Float64Array): number {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    into.setFloat64(from + i * 8, Number.isNaN(value) ? Number.NaN : value, true);
  }
  return values.length * 8;
}

/** A column as it is stored: hundredths of a cent, or the values themselves; undefined when absent in every row. */
export type StoredColumn = Uint16Array | Float64Array | undefined;

/**
 * The column that bytes hold, not decoded yet.
 *
 * @param points number of points of the chunk; the width of a point follows from it
 */
export function readColumn(bytes: Buffer | null, points: number): StoredColumn {
  if (bytes === null) return undefined;
  const { buffer, byteOffset } = aligned(bytes);
  return bytes.byteLength === points * 8
    ? new Float64Array(buffer, byteOffset, points)
    : new Uint16Array(buffer, byteOffset, points);
}

/** One value of a stored column, NaN where absent. */
export function valueAt(column: StoredColumn, i: number): number {
  if (!(column instanceof Uint16Array)) return column?.[i] ?? Number.NaN;
  return column[i] === MISSING ? Number.NaN : (column[i] as number) / HUNDREDTHS_OF_A_CENT;
}

/** The values of a stored column from one place to another, the last not included, NaN where absent. */
export function decodeValues(
  column: StoredColumn,
  from: number,
  until: number,
  make: MakeColumn = ownColumn,
): Float64Array {
  if (column instanceof Float64Array) return column.subarray(from, until);
  const values = make(until - from);
  if (column === undefined) return values.fill(Number.NaN);
  for (let i = from; i < until; i++) {
    const units = column[i] as number;
    values[i - from] = units === MISSING ? Number.NaN : units / HUNDREDTHS_OF_A_CENT;
  }
  return values;
}

/** The column that bytes were made from, NaN where absent. */
export function decodeColumn(bytes: Buffer | null, points: number): Float64Array {
  return decodeValues(readColumn(bytes, points), 0, points);
}

/** The instants of a chunk: four bytes a point in whole seconds after the first, or eight in milliseconds. */
export function encodeInstants<Row>(
  rows: readonly Row[],
  instantOf: (row: Row) => Instant,
  first: Instant,
): Buffer {
  const seconds = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const ms = instantOf(rows[i] as Row) - first;
    seconds[i] = ms / 1000;
    // Read back, for an element is cut to whole seconds in 32 bits.
    if ((seconds[i] as number) * 1000 !== ms)
      return bytesOf(Float64Array.from(rows, (each) => instantOf(each) - first));
  }
  return bytesOf(seconds);
}

/** Instants as they are stored: whole seconds after the first, or milliseconds. */
export interface StoredInstants {
  first: Instant;
  offsets: Uint32Array | Float64Array;
}

/** The instants that {@link encodeInstants} wrote, not decoded yet. */
export function readInstants(bytes: Buffer, points: number, first: Instant): StoredInstants {
  const wide = bytes.byteLength === points * 8;
  const { buffer, byteOffset } = aligned(bytes);
  return {
    first,
    offsets: wide
      ? new Float64Array(buffer, byteOffset, points)
      : new Uint32Array(buffer, byteOffset, points),
  };
}

/** One of some stored instants, in UTC milliseconds. */
export function instantAt({ first, offsets }: StoredInstants, i: number): Instant {
  return first + (offsets[i] as number) * (offsets instanceof Uint32Array ? 1000 : 1);
}

/** Stored instants from one place to another, the last not included, in UTC milliseconds. */
export function decodeInstants(
  { first, offsets }: StoredInstants,
  from: number,
  until: number,
  make: MakeColumn = ownColumn,
): Float64Array {
  const instants = make(until - from);
  const unit = offsets instanceof Uint32Array ? 1000 : 1;
  for (let i = from; i < until; i++) instants[i - from] = first + (offsets[i] as number) * unit;
  return instants;
}

/** The bytes of a typed array, without a copy. */
export function bytesOf(array: Float64Array | Uint32Array | Uint16Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

// A blob may start at an odd address, a typed array may not: only there it is copied.
function aligned(bytes: Buffer): Buffer {
  return bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
}
