import { EXCLUDE_REASONS, MARK_BASES } from '../../model/mark.ts';
import {
  CONSTITUENT_STATES,
  codeOf,
  type LineColumns,
  lineColumns,
  type ReceiptLine,
} from '../../model/print.ts';
import { formatInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { marketIdOf, marketKey } from '../catalog/market-names.ts';
import { bytesOf, decodeColumn } from '../prices/price-codec.ts';
import { readRecord } from '../read-record.ts';
import type { Reader, Writer } from '../store.ts';
import { readReceipt, readShares } from './receipt-codec.ts';

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

/** The ids of a print's markets by their keys, in order. @throws ForemarkError store_unusable for a key of none */
export function decodeMarketKeys(reader: Reader, marketKeys: Buffer): string[] {
  const names = namesOf.get(reader) ?? new Map<number, string>();
  namesOf.set(reader, names);
  return Array.from({ length: marketKeys.byteLength / 4 }, (_none, i) => {
    const key = marketKeys.readUInt32LE(i * 4);
    const name = names.get(key) ?? marketIdOf(reader, key);
    names.set(key, name);
    return name;
  });
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

/** The lines of a print as they are stored. */
interface StoredLines {
  ticker: string;
  at: Instant;
  market_keys: Buffer;
  /** Absent for rates, where included lines have the quantity 1. */
  quantities?: Buffer;
  receipt: Buffer;
}

const INCLUDED = codeOf(CONSTITUENT_STATES, 'included');

/**
 * Decodes which constituents a print includes, with their weights, and nothing else that its lines say.
 *
 * @param ids of its markets, as {@link decodeMarketKeys} gives them
 * @throws ForemarkError store_unusable when they are not as they were stored
 */
export function decodeIncluded(
  ids: readonly string[],
  { ticker, at, receipt }: Pick<StoredLines, 'ticker' | 'at' | 'receipt'>,
): Pick<ReceiptLine, 'market_id' | 'weight'>[] {
  const { state, weight } = readRecord(
    () => readShares(receipt, ids.length),
    () => `the print of ${ticker} at ${formatInstant(at)}`,
  );
  const included: Pick<ReceiptLine, 'market_id' | 'weight'>[] = [];
  for (const [i, market_id] of ids.entries())
    if (state[i] === INCLUDED) included.push({ market_id, weight: weight[i] as number });
  return included;
}

/**
 * Decodes the lines of a print.
 *
 * @throws ForemarkError store_unusable when they are not as they were stored
 */
export function decodeReceipt(
  reader: Reader,
  { ticker, at, market_keys, quantities, receipt }: StoredLines,
): ReceiptLine[] {
  const count = market_keys.byteLength / 4;
  const { columns, held } = readRecord(
    () => ({ columns: readReceipt(receipt, count), held: quantities && decodeColumn(quantities, count) }),
    () => `the print of ${ticker} at ${formatInstant(at)}`,
  );
  const market_ids = decodeMarketKeys(reader, market_keys);
  const lines: ReceiptLine[] = [];
  for (let i = 0; i < count; i++) {
    const state = CONSTITUENT_STATES[(columns.state[i] as number) - 1] ?? 'unpriced';
    const basis = MARK_BASES[(columns.basis[i] as number) - 1];
    const exclude_reason = EXCLUDE_REASONS[(columns.exclude_reason[i] as number) - 1];
    const price = known(columns.price, i);
    const age = known(columns.age, i);
    const spread = known(columns.spread, i);
    const volume = known(columns.volume, i);
    const line: ReceiptLine = {
      market_id: market_ids[i] as string,
      state,
      weight: columns.weight[i] as number,
      quantity: held ? (held[i] as number) : state === 'included' ? 1 : 0,
    };
    if (price !== undefined) line.price = price;
    if (basis) line.basis = basis;
    if (age !== undefined) line.observed_at = at - age;
    if (spread !== undefined) line.spread = spread;
    if (exclude_reason) line.exclude_reason = exclude_reason;
    if (volume !== undefined) line.volume = volume;
    if (columns.outlier?.[i] === 1) line.outlier = true;
    lines.push(line);
  }
  return lines;
}

/** A number of a column; undefined when absent. */
function known(column: Float64Array | undefined, i: number): number | undefined {
  const value = column?.[i];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}
