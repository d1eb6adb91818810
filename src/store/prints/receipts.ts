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
 * How the lines of a print are written: columns one after the other, each with its length before it. Codes
 * are places in the lists of the model, counted from 1; 0 is absent.
 */

/** State, basis and reason. */
const CODES_A_LINE = 3;

// Markets of definitions are named when the definition is adopted, and a name is never taken back.
const keysOf = new WeakMap<Writer, Map<string, number>>();
const namesOf = new WeakMap<Reader, Map<number, string>>();

/** What names a market. */
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
 * The lines of a print as columns, but for their markets and quantities.
 *
 * @param earlier columns that nobody wants any more: filled anew where they are of as many lines
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

// A receipt is written here first; one of a hundred names takes 8 kB.
let scratch = scratchOf(8192);

/** Bytes to write into, by both views. */
function scratchOf(length: number): { buffer: Buffer; bytes: DataView } {
  const buffer = Buffer.allocUnsafeSlow(length);
  return { buffer, bytes: new DataView(buffer.buffer) };
}

/** All of a print's lines but their markets and quantities, until the next receipt is written. */
export function encodeReceipt(lines: LineColumns): Buffer {
  const count = lines.state.length;
  const room = count * (CODES_A_LINE + 5 * 8 + 1) + 7 * 4;
  if (scratch.buffer.length < room) scratch = scratchOf(room);
  const { buffer, bytes } = scratch;
  let end = 0;
  // Each column has its length before it.
  const add = (length: number) => {
    bytes.setUint32(end, length, true);
    end += 4 + length;
  };
  add(writeCodes(bytes, end + 4, lines));
  add(writeColumn(bytes, end + 4, lines.price));
  add(writeColumn(bytes, end + 4, lines.spread));
  add(writeDoubles(bytes, end + 4, lines.age));
  add(writeDoubles(bytes, end + 4, lines.weight));
  // Volumes and outliers stand in some rates only; without them nothing is written.
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

/** The lines that {@link encodeReceipt} wrote. */
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

/** A number of a column, where it has one there. */
function known(column: Float64Array | undefined, i: number): number | undefined {
  const value = column?.[i];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/** The ids of markets by their keys; each is looked up once. */
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
