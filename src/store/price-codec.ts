import type { Instant } from '../model/units.ts';

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
  const bytes = Buffer.allocUnsafe(rows.length * 8);
  const length = writeColumn(new DataView(bytes.buffer, bytes.byteOffset), 0, rows, read);
  return length === 0 ? null : bytes.subarray(0, length);
}

/**
 * Writes a column into bytes that have room for eight a row.
 *
 * @returns the number of bytes that it took: 0 when it is absent in every row
 */
export function writeColumn<Row>(
  into: DataView,
  from: number,
  rows: readonly Row[],
  read: (row: Row) => number | undefined,
): number {
  let absent = 0;
  for (let i = 0; i < rows.length; i++) {
    const value = read(rows[i] as Row);
    if (value === undefined) absent++;
    // Adding 0 makes -0, which two bytes cannot say, differ from what it was.
    const units = value === undefined ? MISSING : Math.round(value * HUNDREDTHS_OF_A_CENT) + 0;
    const fits = units >= 0 && units < MISSING && Object.is(units / HUNDREDTHS_OF_A_CENT, value);
    if (value !== undefined && !fits) return writeDoubles(into, from, rows, read);
    into.setUint16(from + i * 2, units, true);
  }
  return absent === rows.length ? 0 : rows.length * 2;
}

/** Writes eight bytes a row, NaN where absent. @returns the number of bytes that it took */
export function writeDoubles<Row>(
  into: DataView,
  from: number,
  rows: readonly Row[],
  read: (row: Row) => number | undefined,
): number {
  for (let i = 0; i < rows.length; i++)
    into.setFloat64(from + i * 8, read(rows[i] as Row) ?? Number.NaN, true);
  return rows.length * 8;
}

/**
 * The column that bytes were made from, NaN where absent.
 *
 * @param points number of points of the chunk; the width of a point follows from it
 */
export function decodeColumn(bytes: Buffer | null, points: number): Float64Array {
  if (bytes === null) return new Float64Array(points).fill(Number.NaN);
  if (bytes.byteLength === points * 8) return new Float64Array(copy(bytes));
  const small = new Uint16Array(copy(bytes));
  const values = new Float64Array(points);
  for (let i = 0; i < points; i++) {
    const units = small[i] as number;
    values[i] = units === MISSING ? Number.NaN : units / HUNDREDTHS_OF_A_CENT;
  }
  return values;
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

/** The instants that {@link encodeInstants} wrote, in UTC milliseconds. */
export function decodeInstants(bytes: Buffer, points: number, first: Instant): Float64Array {
  const wide = bytes.byteLength === points * 8;
  const offsets = wide ? new Float64Array(copy(bytes)) : new Uint32Array(copy(bytes));
  const instants = new Float64Array(points);
  const unit = wide ? 1 : 1000;
  for (let i = 0; i < points; i++) instants[i] = first + (offsets[i] as number) * unit;
  return instants;
}

/** The bytes of a typed array, without a copy. */
export function bytesOf(array: Float64Array | Uint32Array | Uint16Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

// A blob from SQLite may start at an odd address; a typed array may not.
function copy(bytes: Buffer): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
}
