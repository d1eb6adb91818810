import { EXCLUDE_REASONS, MARK_BASES } from '../../model/mark.ts';
import {
  CONSTITUENT_STATES,
  codeOf,
  type LineColumns,
  lineColumns,
  type ReceiptLine,
} from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { marketIdOf, marketKey } from '../catalog/market-names.ts';
import { bytesOf, decodeColumn, writeColumn, writeDoubles } from '../prices/price-codec.ts';
import type { Reader, Writer } from '../store.ts';

/**
 * The encoding of the lines of a print: one column after the other, each preceded by its length in bytes. Codes are
 * positions in the lists of the model, counted from 1; 0 means absent.
 */

/** State, basis and reason, one byte each. */
const CODES_A_LINE = 3;

// Safe to cache: markets get their keys when a definition is adopted, and keys never change.
const keysOf = new WeakMap<Writer, Map<string, number>>();
const namesOf = new WeakMap<Reader, Map<number, string>>();

/** A line as far as it identifies its market. */
export type Named = Pick<ReceiptLine, 'market_id'>;

/** The market keys of a print's lines, 4 bytes each. */
export function encodeMarketKeys(writer: Writer, lines: readonly Named[]): Buffer {
  const known = keysOf.get(writer) ?? new Map<string, number>();
  keysOf.set(writer, known);
  return bytesOf(
    Uint32Array.from(lines, ({ market_id }) => {
      const key = known.get(market_id) ?? marketKey(writer, market_id);
      known.set(market_id, key);
      return key;
    }),
  );
}

/** Whether the lines of two prints name the same markets in the same order. */
export function nameSameMarkets(a: readonly Named[], b: readonly Named[]): boolean {
  return a === b || (a.length === b.length && a.every((line, i) => line.market_id === b[i]?.market_id));
}

/**
 * Converts the lines of a print to columns, without markets and quantities.
 *
 * @param earlier columns that are no longer needed, to be reused if they have the same number of lines
 */
export function columnsOfLines(
  lines: readonly ReceiptLine[],
  at: Instant,
  earlier?: LineColumns,
): LineColumns {
  const columns = earlier?.state.length === lines.length ? earlier : lineColumns(lines.length);
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as ReceiptLine;
    columns.state[i] = codeOf(CONSTITUENT_STATES, line.state);
    columns.basis[i] = codeOf(MARK_BASES, line.basis);
    columns.exclude_reason[i] = codeOf(EXCLUDE_REASONS, line.exclude_reason);
    columns.price[i] = line.price ?? Number.NaN;
    columns.spread[i] = line.spread ?? Number.NaN;
    columns.age[i] = line.observed_at === undefined ? Number.NaN : at - line.observed_at;
    columns.weight[i] = line.weight;
  }
  columns.volume = lines.some((line) => line.volume !== undefined)
    ? Float64Array.from(lines, (line) => line.volume ?? Number.NaN)
    : undefined;
  columns.outlier = lines.some((line) => line.outlier)
    ? Uint8Array.from(lines, (line) => (line.outlier ? 1 : 0))
    : undefined;
  return columns;
}

// Receipts are written here; this is enough for more than a hundred constituents.
let scratch = scratchOf(8192);

/** A buffer with a second view of the same bytes. */
function scratchOf(length: number): { buffer: Buffer; bytes: DataView } {
  const buffer = Buffer.allocUnsafeSlow(length);
  return { buffer, bytes: new DataView(buffer.buffer) };
}

/**
 * Encodes a print's lines, without markets and quantities.
 *
 * @returns a view of shared memory, valid only until the next call
 */
export function encodeReceipt(lines: LineColumns): Buffer {
  const count = lines.state.length;
  const room = count * (CODES_A_LINE + 5 * 8 + 1) + 7 * 4;
  if (scratch.buffer.length < room) scratch = scratchOf(room);
  const { buffer, bytes } = scratch;
  let end = 0;
  // Writes the length in front of the column that is already in place.
  const add = (length: number) => {
    bytes.setUint32(end, length, true);
    end += 4 + length;
  };
  add(writeCodes(bytes, end + 4, lines));
  add(writeColumn(bytes, end + 4, lines.price));
  add(writeColumn(bytes, end + 4, lines.spread));
  add(writeDoubles(bytes, end + 4, lines.age));
  add(writeDoubles(bytes, end + 4, lines.weight));
  // Only some rates have volumes and outliers; without these nothing is written.
  const { volume, outlier } = lines;
  if (volume || outlier) add(volume ? writeColumn(bytes, end + 4, volume) : 0);
  if (outlier) {
    buffer.set(outlier, end + 4);
    add(count);
  }
  return buffer.subarray(0, end);
}

function writeCodes(into: DataView, from: number, { state, basis, exclude_reason }: LineColumns): number {
  for (let i = 0; i < state.length; i++) {
    const place = from + i * CODES_A_LINE;
    into.setUint8(place, state[i] as number);
    into.setUint8(place + 1, basis[i] as number);
    into.setUint8(place + 2, exclude_reason[i] as number);
  }
  return state.length * CODES_A_LINE;
}

/**
 * Decodes the lines that {@link encodeReceipt} wrote.
 *
 * @param quantities undefined for rates, where included lines have the quantity 1
 */
export function decodeReceipt(
  reader: Reader,
  receipt: Buffer,
  at: Instant,
  marketKeys: Buffer,
  quantities: Buffer | undefined,
): ReceiptLine[] {
  const count = marketKeys.byteLength / 4;
  const [codes, ...columns] = splitColumns(receipt);
  const numbers = (column: Buffer | undefined) => decodeColumn(column ?? null, count);
  const [prices, spreads, ages, weights, volumes] = [0, 1, 2, 3, 4].map((place) => numbers(columns[place]));
  const outliers = columns[5];
  const held = quantities && numbers(quantities);
  const nameOf = marketNames(reader);
  const lines: ReceiptLine[] = [];
  for (let i = 0; i < count; i++) {
    const codeOf = (place: number) => (codes?.[i * CODES_A_LINE + place] ?? 0) - 1;
    const state = CONSTITUENT_STATES[codeOf(0)] ?? 'unpriced';
    const basis = MARK_BASES[codeOf(1)];
    const exclude_reason = EXCLUDE_REASONS[codeOf(2)];
    const [price, age, spread, volume] = [
      known(prices, i),
      known(ages, i),
      known(spreads, i),
      known(volumes, i),
    ];
    const line: ReceiptLine = {
      market_id: nameOf(marketKeys.readUInt32LE(i * 4)),
      state,
      weight: weights?.[i] as number,
      quantity: held ? (held[i] as number) : state === 'included' ? 1 : 0,
    };
    if (price !== undefined) line.price = price;
    if (basis) line.basis = basis;
    if (age !== undefined) line.observed_at = at - age;
    if (spread !== undefined) line.spread = spread;
    if (exclude_reason) line.exclude_reason = exclude_reason;
    if (volume !== undefined) line.volume = volume;
    if (outliers?.[i] === 1) line.outlier = true;
    lines.push(line);
  }
  return lines;
}

/** A number of a column; undefined when absent. */
function known(column: Float64Array | undefined, i: number): number | undefined {
  const value = column?.[i];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/** A function that returns the id of a market by its key, and caches it. */
function marketNames(reader: Reader): (key: number) => string {
  const names = namesOf.get(reader) ?? new Map<number, string>();
  namesOf.set(reader, names);
  return (key) => {
    const name = names.get(key) ?? marketIdOf(reader, key);
    names.set(key, name);
    return name;
  };
}

function splitColumns(receipt: Buffer): (Buffer | undefined)[] {
  const columns: (Buffer | undefined)[] = [];
  for (let place = 0; place < receipt.byteLength; ) {
    const length = receipt.readUInt32LE(place);
    place += 4;
    columns.push(length === 0 ? undefined : receipt.subarray(place, place + length));
    place += length;
  }
  return columns;
}
