import { type MakeColumn, ownColumns } from '../../model/column-room.ts';
import type { Instant } from '../../model/units.ts';

/**
 * The encoding of the columns of a price chunk. If every value is exactly a multiple of the unit, a column is written
 * as integers: prices in hundredths of a cent, two bytes a point, or amounts in hundredths, four bytes a point.
 * Otherwise it takes eight bytes a point. Decoding returns exactly the numbers that were written.
 */

/** An integer encoding: units per 1, bytes per value, and the integer that means absent. */
interface Units {
  aOne: number;
  width: 2 | 4;
  missing: number;
}

const HUNDREDTHS_OF_A_CENT: Units = { aOne: 10_000, width: 2, missing: 0xffff };
const HUNDREDTHS: Units = { aOne: 100, width: 4, missing: 0xffff_ffff };

// Hold a column while it is encoded, since new arrays for each took most of the time; the longest chunk has 4,000 points.
let values = new Float64Array(4096);
let encoded = new DataView(new ArrayBuffer(values.byteLength));

/**
 * Encodes a column; null when it is absent in every row.
 *
 * @param read returns the value of a row, undefined when absent
 */
export function encodeColumn<Row>(
  rows: readonly Row[],
  read: (row: Row) => number | undefined,
): Buffer | null {
  const count = rows.length;
  if (values.length < count) {
    values = new Float64Array(count);
    encoded = new DataView(new ArrayBuffer(values.byteLength));
  }
  let absent = 0;
  for (let i = 0; i < count; i++) {
    const value = read(rows[i] as Row);
    if (value === undefined) absent++;
    values[i] = value ?? Number.NaN;
  }
  if (absent === count) return null;
  const column = values.subarray(0, count);
  const length =
    writeUnits(encoded, 0, column, HUNDREDTHS_OF_A_CENT) ??
    writeUnits(encoded, 0, column, HUNDREDTHS) ??
    writeDoubles(encoded, 0, column);
  return Buffer.copyBytesFrom(new Uint8Array(encoded.buffer, 0, length));
}

/**
 * Writes a column of a receipt: prices in hundredths of a cent if that is exact, otherwise doubles.
 *
 * @param into must have room for eight bytes per value
 * @param values NaN where absent
 * @returns the number of bytes written: 0 when every value is absent
 */
export function writeColumn(into: DataView, from: number, values: Float64Array): number {
  if (values.every(Number.isNaN)) return 0;
  return writeUnits(into, from, values, HUNDREDTHS_OF_A_CENT) ?? writeDoubles(into, from, values);
}

/** @returns the number of bytes written; undefined if a value is not exactly a multiple of the unit */
function writeUnits(
  into: DataView,
  from: number,
  values: Float64Array,
  { aOne, width, missing }: Units,
): number | undefined {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    const isAbsent = Number.isNaN(value);
    // Adding 0 turns -0 into 0, so that the comparison below rejects -0, which an integer cannot represent.
    const units = isAbsent ? missing : Math.round(value * aOne) + 0;
    const fits = units >= 0 && units < missing && Object.is(units / aOne, value);
    if (!isAbsent && !fits) return undefined;
    if (width === 2) into.setUint16(from + i * 2, units, true);
    else into.setUint32(from + i * 4, units, true);
  }
  return values.length * width;
}

/** Writes eight bytes a value, and the same NaN for all absent ones. @returns the number of bytes written */
export function writeDoubles(into: DataView, from: number, values: Float64Array): number {
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    into.setFloat64(from + i * 8, Number.isNaN(value) ? Number.NaN : value, true);
  }
  return values.length * 8;
}

/** A column as it is stored: integer units, or the values themselves; undefined when absent in every row. */
export type StoredColumn = Uint16Array | Uint32Array | Float64Array | undefined;

/**
 * A view of a stored column, not decoded yet.
 *
 * @param points number of points in the chunk, from which the width of a point follows
 */
export function readColumn(bytes: Buffer | null, points: number): StoredColumn {
  if (bytes === null) return undefined;
  const { buffer, byteOffset } = aligned(bytes);
  const width = bytes.byteLength / points;
  if (width === 8) return new Float64Array(buffer, byteOffset, points);
  return width === 4
    ? new Uint32Array(buffer, byteOffset, points)
    : new Uint16Array(buffer, byteOffset, points);
}

function unitsOf(column: Uint16Array | Uint32Array): Units {
  return column instanceof Uint16Array ? HUNDREDTHS_OF_A_CENT : HUNDREDTHS;
}

/** One value of a stored column, NaN where absent. */
export function valueAt(column: StoredColumn, i: number): number {
  if (column === undefined || column instanceof Float64Array) return column?.[i] ?? Number.NaN;
  const { aOne, missing } = unitsOf(column);
  return column[i] === missing ? Number.NaN : (column[i] as number) / aOne;
}

/** The values of a stored column from one place to another (exclusive), NaN where absent. */
export function decodeValues(
  column: StoredColumn,
  from: number,
  until: number,
  make: MakeColumn = ownColumns.column,
): Float64Array {
  if (column instanceof Float64Array) return column.subarray(from, until);
  const values = make(until - from);
  if (column === undefined) return values.fill(Number.NaN);
  const { aOne, missing } = unitsOf(column);
  for (let i = from; i < until; i++) {
    const units = column[i] as number;
    values[i - from] = units === missing ? Number.NaN : units / aOne;
  }
  return values;
}

/** Decodes a whole column, NaN where absent. */
export function decodeColumn(bytes: Buffer | null, points: number): Float64Array {
  return decodeValues(readColumn(bytes, points), 0, points);
}

/** At least this many instants are written as the first one and the step, if they are equally spaced. */
const STEPPED_FROM = 5;
const STEPPED_BYTES = 16;

/**
 * Encodes the instants of a chunk. Equally spaced ones, such as those of candles or of points recorded together, become
 * the first and the step in milliseconds. Others are offsets from the first: four bytes a point if all are whole
 * seconds, otherwise eight bytes in milliseconds.
 */
export function encodeInstants<Row>(
  rows: readonly Row[],
  instantOf: (row: Row) => Instant,
  first: Instant,
): Buffer {
  const count = rows.length;
  const offsets = new Float64Array(count);
  // Loops, because Float64Array.from and every with a callback take five times as long.
  for (let i = 0; i < count; i++) offsets[i] = instantOf(rows[i] as Row) - first;
  const [start = 0, next = 0] = offsets;
  const step = next - start;
  if (count >= STEPPED_FROM && isStepped(offsets, start, step)) return bytesOf(Float64Array.of(start, step));
  const seconds = new Uint32Array(count);
  let isWhole = true;
  for (let i = 0; i < count; i++) {
    const offset = offsets[i] as number;
    seconds[i] = offset / 1000;
    // Read back from the array, which truncates to whole seconds in 32 bits.
    isWhole &&= (seconds[i] as number) * 1000 === offset;
  }
  return bytesOf(isWhole ? seconds : offsets);
}

function isStepped(offsets: Float64Array, start: number, step: number): boolean {
  for (let i = 2; i < offsets.length; i++) if (offsets[i] !== start + i * step) return false;
  return true;
}

/** Instants as they are stored: offsets from the first in whole seconds or milliseconds, or a constant step. */
export type StoredInstants =
  | { first: Instant; offsets: Uint32Array | Float64Array }
  | { first: Instant; step: number };

/**
 * A view of the instants that {@link encodeInstants} wrote, not decoded yet.
 *
 * @param first first instant of the chunk
 */
export function readInstants(bytes: Buffer, points: number, first: Instant): StoredInstants {
  const { buffer, byteOffset } = aligned(bytes);
  if (points >= STEPPED_FROM && bytes.byteLength === STEPPED_BYTES) {
    const [start = 0, step = 0] = new Float64Array(buffer, byteOffset, 2);
    return { first: first + start, step };
  }
  const wide = bytes.byteLength === points * 8;
  return {
    first,
    offsets: wide
      ? new Float64Array(buffer, byteOffset, points)
      : new Uint32Array(buffer, byteOffset, points),
  };
}

/** One of the stored instants, in UTC milliseconds. */
export function instantAt(stored: StoredInstants, i: number): Instant {
  if ('step' in stored) return stored.first + i * stored.step;
  const { first, offsets } = stored;
  return first + (offsets[i] as number) * (offsets instanceof Uint32Array ? 1000 : 1);
}

/** The equally spaced instants that were decoded last, since the candles of many markets have the same ones. */
export class SteppedInstants {
  #first = Number.NaN;
  #step = Number.NaN;
  #instants = new Float64Array();

  /** @returns shared by all who ask for the same, so not to be written to */
  of(first: Instant, step: number, count: number): Float64Array {
    if (this.#first === first && this.#step === step && this.#instants.length === count)
      return this.#instants;
    const instants = new Float64Array(count);
    for (let i = 0; i < count; i++) instants[i] = first + i * step;
    this.#first = first;
    this.#step = step;
    this.#instants = instants;
    return instants;
  }
}

/**
 * Stored instants from one place to another (exclusive), in UTC milliseconds. The result is not to be written to.
 *
 * @param stepped decodes equally spaced ones
 * @param make allocates the column of others
 */
export function decodeInstants(
  stored: StoredInstants,
  from: number,
  until: number,
  stepped = new SteppedInstants(),
  make: MakeColumn = ownColumns.column,
): Float64Array {
  if ('step' in stored) return stepped.of(stored.first + from * stored.step, stored.step, until - from);
  const instants = make(until - from);
  const { first, offsets } = stored;
  const unit = offsets instanceof Uint32Array ? 1000 : 1;
  for (let i = from; i < until; i++) instants[i - from] = first + (offsets[i] as number) * unit;
  return instants;
}

/** The bytes of a typed array, without a copy. */
export function bytesOf(array: Float64Array | Uint32Array | Uint16Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

// A typed array must be aligned, a blob may start at any address: it is copied if it is not aligned.
function aligned(bytes: Buffer): Buffer {
  return bytes.byteOffset % 8 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer);
}
