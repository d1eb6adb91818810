import { EXCLUDE_REASONS, MARK_BASES } from '../model/mark.ts';
import { CONSTITUENT_STATES, type ReceiptLine } from '../model/print.ts';
import type { Instant } from '../model/units.ts';
import { marketIdOf, marketKey } from './catalog.ts';
import { bytesOf, decodeColumn, encodeColumn } from './price-codec.ts';
import type { Reader, Writer } from './store.ts';

/**
 * How the lines of a print are written: columns one after the other, each with its length before it. Codes
 * are places in the lists of the model, counted from 1; 0 is absent.
 */

const AGE_UNKNOWN = Number.NaN;

// Markets of definitions are named when the definition is adopted, and a name is never taken back.
const keysOf = new WeakMap<Writer, Map<string, number>>();

/** The market keys of a print's lines, 4 bytes each. */
export function encodeMarketKeys(writer: Writer, lines: readonly ReceiptLine[]): Buffer {
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

/** All of a print's lines but their markets and quantities. */
export function encodeReceipt(lines: readonly ReceiptLine[], at: Instant): Buffer {
  const codes = Buffer.alloc(lines.length * 3);
  for (const [i, line] of lines.entries()) {
    codes[i * 3] = CONSTITUENT_STATES.indexOf(line.state) + 1;
    codes[i * 3 + 1] = line.basis ? MARK_BASES.indexOf(line.basis) + 1 : 0;
    codes[i * 3 + 2] = line.exclude_reason ? EXCLUDE_REASONS.indexOf(line.exclude_reason) + 1 : 0;
  }
  const ages = lines.map((line) => (line.observed_at === undefined ? AGE_UNKNOWN : at - line.observed_at));
  const columns = [
    codes,
    encodeColumn(lines, (line) => line.price),
    encodeColumn(lines, (line) => line.spread),
    bytesOf(Float64Array.from(ages)),
    bytesOf(Float64Array.from(lines, (line) => line.weight)),
    ...rateColumns(lines),
  ];
  return Buffer.concat(columns.flatMap((column) => [lengthOf(column), column ?? Buffer.alloc(0)]));
}

// Volumes and outliers stand in some rates only; without them nothing is written.
function rateColumns(lines: readonly ReceiptLine[]): (Buffer | null)[] {
  const outliers = lines.some((line) => line.outlier)
    ? Buffer.from(lines.map((line) => (line.outlier ? 1 : 0)))
    : null;
  const volumes = encodeColumn(lines, (line) => line.volume);
  return outliers ? [volumes, outliers] : volumes ? [volumes] : [];
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
  const [codes, price, spread, age, weight, volume, outliers] = splitColumns(receipt);
  const columns = [price, spread, age, weight, volume].map((column) => decodeColumn(column ?? null, count));
  const held = quantities && decodeColumn(quantities, count);
  return Array.from({ length: count }, (_none, i): ReceiptLine => {
    const [priceOf, spreadOf, ageOf, weightOf, volumeOf] = columns.map((column) => column[i] as number);
    const state = CONSTITUENT_STATES[(codes?.[i * 3] ?? 1) - 1] ?? 'unpriced';
    const basis = MARK_BASES[(codes?.[i * 3 + 1] ?? 0) - 1];
    const exclude_reason = EXCLUDE_REASONS[(codes?.[i * 3 + 2] ?? 0) - 1];
    return {
      market_id: marketIdOf(reader, marketKeys.readUInt32LE(i * 4)),
      state,
      weight: weightOf as number,
      quantity: held ? (held[i] as number) : state === 'included' ? 1 : 0,
      ...(Number.isNaN(priceOf) ? {} : { price: priceOf as number }),
      ...(basis ? { basis } : {}),
      ...(Number.isNaN(ageOf) ? {} : { observed_at: at - (ageOf as number) }),
      ...(Number.isNaN(spreadOf) ? {} : { spread: spreadOf as number }),
      ...(exclude_reason ? { exclude_reason } : {}),
      ...(Number.isNaN(volumeOf) ? {} : { volume: volumeOf as number }),
      ...(outliers?.[i] === 1 ? { outlier: true } : {}),
    };
  });
}

function lengthOf(column: Buffer | null): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(column?.byteLength ?? 0);
  return length;
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
