import { type LineColumns, lineColumns } from '../../model/print.ts';
import { decodeColumn, writeColumn, writeDoubles } from '../prices/price-codec.ts';

/**
 * The encoding of the lines of a print, without markets and quantities: a mark, then one column after the other, each
 * preceded by its length in bytes. Decoding returns exactly the numbers that were written.
 *
 * - Codes: state, basis and reason of a line, one byte each; those of one line if all lines have the same.
 * - Quotes: see {@link writeQuotes}.
 * - Ages in milliseconds: four bytes each, or one for all; eight bytes each if one does not fit.
 * - Weights: eight bytes each, or one for all.
 * - Volumes and outliers, which only some rates have.
 *
 * Receipts of before migration 33 have no mark. In place of the quotes they have a column of prices and one of spreads,
 * and no value stands for all lines.
 */
const MARK = 0xffff_ffff;

/** State, basis and reason, one byte each. */
const CODES_A_LINE = 3;
/** The most bytes that a line takes: codes, a quote that is not exact, age, weight, volume and outlier. */
const MOST_BYTES_A_LINE = CODES_A_LINE + 20 + 8 + 8 + 8 + 1;
const MOST_COLUMNS = 6;

// Receipts are written here; this is enough for more than a hundred constituents.
let scratch = scratchOf(8192);

/** A buffer with a second view of the same bytes. */
function scratchOf(length: number): { buffer: Buffer; bytes: DataView } {
  const buffer = Buffer.allocUnsafeSlow(length);
  return { buffer, bytes: new DataView(buffer.buffer) };
}

/**
 * Encodes the lines of a print.
 *
 * @returns a view of shared memory, valid only until the next call
 */
export function encodeReceipt(lines: LineColumns): Buffer {
  const room = lines.state.length * MOST_BYTES_A_LINE + (MOST_COLUMNS + 1) * 4;
  if (scratch.buffer.length < room) scratch = scratchOf(room);
  const { buffer, bytes } = scratch;
  bytes.setUint32(0, MARK, true);
  let end = 4;
  // Writes the length in front of the column that is already in place.
  const add = (length: number) => {
    bytes.setUint32(end, length, true);
    end += 4 + length;
  };
  add(writeCodes(bytes, end + 4, lines));
  add(writeQuotes(bytes, end + 4, lines.price, lines.spread));
  add(writeAges(bytes, end + 4, lines.age));
  add(writeWeights(bytes, end + 4, lines.weight));
  const { volume, outlier } = lines;
  if (volume || outlier) add(volume ? writeColumn(bytes, end + 4, volume) : 0);
  if (outlier) {
    buffer.set(outlier, end + 4);
    add(outlier.length);
  }
  return buffer.subarray(0, end);
}

/** Decodes the lines of a print. @param count number of lines */
export function readReceipt(receipt: Buffer, count: number): LineColumns {
  const lines = lineColumns(count);
  const { hasMark, codes, columns } = columnsOf(receipt);
  readCodes(codes, lines);
  const numbers = (column: Buffer | undefined) => decodeColumn(column?.byteLength ? column : null, count);
  if (hasMark) readQuotes(columns.shift(), lines);
  else {
    lines.price = numbers(columns.shift());
    lines.spread = numbers(columns.shift());
  }
  const [ages, weights, volumes, outliers] = columns;
  lines.age = hasMark ? readAges(ages, count) : numbers(ages);
  lines.weight = hasMark ? readWeights(weights, count) : numbers(weights);
  lines.volume = volumes && numbers(volumes);
  lines.outlier = outliers;
  return lines;
}

/** Decodes only the states and weights of the lines of a print, as {@link readReceipt} does. */
export function readShares(receipt: Buffer, count: number): Pick<LineColumns, 'state' | 'weight'> {
  const { hasMark, codes, columns } = columnsOf(receipt);
  const weights = columns[hasMark ? 2 : 3];
  const step = codes?.byteLength === CODES_A_LINE ? 0 : CODES_A_LINE;
  const state = new Uint8Array(count);
  for (let i = 0; i < count; i++) state[i] = codes?.[i * step] ?? 0;
  return {
    state,
    weight: hasMark ? readWeights(weights, count) : decodeColumn(weights?.byteLength ? weights : null, count),
  };
}

/** The columns of a receipt: the codes, and the numbers as they are stored. */
function columnsOf(receipt: Buffer): { hasMark: boolean; codes: Buffer | undefined; columns: Buffer[] } {
  const hasMark = receipt.byteLength >= 4 && receipt.readUInt32LE(0) === MARK;
  const [codes, ...columns] = splitColumns(receipt.subarray(hasMark ? 4 : 0));
  return { hasMark, codes, columns };
}

function splitColumns(bytes: Buffer): Buffer[] {
  const columns: Buffer[] = [];
  for (let place = 0; place < bytes.byteLength; ) {
    const length = bytes.readUInt32LE(place);
    place += 4;
    columns.push(bytes.subarray(place, place + length));
    place += length;
  }
  return columns;
}

function writeCodes(into: DataView, from: number, { state, basis, exclude_reason }: LineColumns): number {
  let alike = true;
  for (let i = 0; i < state.length; i++) {
    const place = from + i * CODES_A_LINE;
    into.setUint8(place, state[i] as number);
    into.setUint8(place + 1, basis[i] as number);
    into.setUint8(place + 2, exclude_reason[i] as number);
    alike &&= state[i] === state[0] && basis[i] === basis[0] && exclude_reason[i] === exclude_reason[0];
  }
  return (alike ? Math.min(1, state.length) : state.length) * CODES_A_LINE;
}

function readCodes(codes: Buffer | undefined, { state, basis, exclude_reason }: LineColumns): void {
  const step = codes?.byteLength === CODES_A_LINE ? 0 : CODES_A_LINE;
  for (let i = 0; i < state.length; i++) {
    state[i] = codes?.[i * step] ?? 0;
    basis[i] = codes?.[i * step + 1] ?? 0;
    exclude_reason[i] = codes?.[i * step + 2] ?? 0;
  }
}

const QUOTE_BYTES = 4;
/** Hundredths of a cent in 1. */
const UNITS = 10_000;
/** In place of an ask: there is no spread, and the bid is the price. In place of a bid: there is no price either. */
const ABSENT = 0xffff;
/** In place of an ask: price and spread follow as doubles after the quotes. */
const EXACT = 0xfffe;

/**
 * Writes prices and spreads. Those of a mid are written as its bid and its ask in hundredths of a cent, two bytes each,
 * because the mid and the spread themselves are seldom such multiples to the last binary digit.
 */
function writeQuotes(into: DataView, from: number, prices: Float64Array, spreads: Float64Array): number {
  let end = from + prices.length * QUOTE_BYTES;
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] as number;
    const spread = spreads[i] as number;
    const hasSpread = !Number.isNaN(spread);
    let bid = ABSENT;
    let ask = ABSENT;
    if (hasSpread) {
      bid = Math.round((price - spread / 2) * UNITS);
      ask = Math.round((price + spread / 2) * UNITS);
    } else if (!Number.isNaN(price)) bid = Math.round(price * UNITS) + 0;
    const isInRange = bid >= 0 && bid <= ABSENT && ask >= 0 && (ask < EXACT || !hasSpread);
    if (!isInRange || !Object.is(priceOf(bid, ask), price) || !Object.is(spreadOf(bid, ask), spread)) {
      bid = ABSENT;
      ask = EXACT;
      into.setFloat64(end, price, true);
      into.setFloat64(end + 8, spread, true);
      end += 16;
    }
    into.setUint16(from + i * QUOTE_BYTES, bid, true);
    into.setUint16(from + i * QUOTE_BYTES + 2, ask, true);
  }
  return end - from;
}

// As the mark of a book is calculated: the same operations give the same last digit.
function priceOf(bid: number, ask: number): number {
  if (ask !== ABSENT) return (bid / UNITS + ask / UNITS) / 2;
  return bid === ABSENT ? Number.NaN : bid / UNITS;
}

function spreadOf(bid: number, ask: number): number {
  return ask === ABSENT ? Number.NaN : ask / UNITS - bid / UNITS;
}

function readQuotes(quotes: Buffer | undefined, { price, spread }: LineColumns): void {
  let end = price.length * QUOTE_BYTES;
  for (let i = 0; quotes && i < price.length; i++) {
    const bid = quotes.readUInt16LE(i * QUOTE_BYTES);
    const ask = quotes.readUInt16LE(i * QUOTE_BYTES + 2);
    const isExact = ask === EXACT;
    price[i] = isExact ? quotes.readDoubleLE(end) : priceOf(bid, ask);
    spread[i] = isExact ? quotes.readDoubleLE(end + 8) : spreadOf(bid, ask);
    if (isExact) end += 16;
  }
}

const AGE_BYTES = 4;
const NO_AGE = 0xffff_ffff;

function writeAges(into: DataView, from: number, ages: Float64Array): number {
  let alike = true;
  for (let i = 0; i < ages.length; i++) {
    const age = ages[i] as number;
    const isAbsent = Number.isNaN(age);
    if (!isAbsent && !(Number.isInteger(age) && age >= 0 && age < NO_AGE))
      return writeDoubles(into, from, ages);
    into.setUint32(from + i * AGE_BYTES, isAbsent ? NO_AGE : age, true);
    alike &&= Object.is(age, ages[0]);
  }
  return (alike ? Math.min(1, ages.length) : ages.length) * AGE_BYTES;
}

function readAges(ages: Buffer | undefined, count: number): Float64Array {
  if (ages === undefined || ages.byteLength === count * 8) return decodeColumn(ages ?? null, count);
  const step = ages.byteLength === AGE_BYTES ? 0 : AGE_BYTES;
  return Float64Array.from({ length: count }, (_none, i) => {
    const age = ages.readUInt32LE(i * step);
    return age === NO_AGE ? Number.NaN : age;
  });
}

function writeWeights(into: DataView, from: number, weights: Float64Array): number {
  const first = weights.subarray(0, 1);
  for (let i = 1; i < weights.length; i++)
    if (!Object.is(weights[i], first[0])) return writeDoubles(into, from, weights);
  return writeDoubles(into, from, first);
}

function readWeights(weights: Buffer | undefined, count: number): Float64Array {
  if (weights?.byteLength === 8) return new Float64Array(count).fill(weights.readDoubleLE(0));
  return decodeColumn(weights ?? null, count);
}
