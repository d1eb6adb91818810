import type { Instant } from '../model/units.ts';

/**
 * How a column of a price chunk is written: two bytes a point, in hundredths of a cent, when every value is
 * such a number exactly, else eight bytes a point. Reading gives back the very numbers that were written.
 */

const HUNDREDTHS_OF_A_CENT = 10_000;
const MISSING = 0xffff;

/**
 * A column as bytes, or null when every point of it is absent.
 *
 * @param values one a point, undefined where absent
 */
export function encodeColumn(values: readonly (number | undefined)[]): Buffer | null {
  const bytes = new DataView(new ArrayBuffer(values.length * 8));
  const length = writeColumn(bytes, 0, values);
  return length === 0 ? null : Buffer.from(bytes.buffer, 0, length);
}

/**
 * Writes a column into bytes that have room for eight a point.
 *
 * @returns the number of bytes that it took: 0 when every point of it is absent
 */
export function writeColumn(into: DataView, from: number, values: readonly (number | undefined)[]): number {
  let absent = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === undefined) absent++;
    // Adding 0 makes -0, which two bytes cannot say, differ from what it was.
    const units = value === undefined ? MISSING : Math.round(value * HUNDREDTHS_OF_A_CENT) + 0;
    const fits = units >= 0 && units < MISSING && Object.is(units / HUNDREDTHS_OF_A_CENT, value);
    if (value !== undefined && !fits) return writeDoubles(into, from, values);
    into.setUint16(from + i * 2, units, true);
  }
  return absent === values.length ? 0 : values.length * 2;
}

/** Writes eight bytes a point, NaN where absent. @returns the number of bytes that it took */
export function writeDoubles(into: DataView, from: number, values: readonly (number | undefined)[]): number {
  for (let i = 0; i < values.length; i++) into.setFloat64(from + i * 8, values[i] ?? Number.NaN, true);
  return values.length * 8;
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
export function encodeInstants(instants: readonly Instant[], first: Instant): Buffer {
  const offsets = instants.map((at) => at - first);
  const whole = offsets.every((ms) => ms >= 0 && ms % 1000 === 0 && ms / 1000 <= 0xffffffff);
  return bytesOf(whole ? Uint32Array.from(offsets, (ms) => ms / 1000) : Float64Array.from(offsets));
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
