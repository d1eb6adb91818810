import { hash } from 'node:crypto';
import type { Reader, Value } from '../store.ts';

/** The hash of a print, and that of the print before it; null for the first. */
export interface Link {
  previous_hash: Buffer | null;
  hash: Buffer;
}

/**
 * The fields of a print that its hash covers, in order. For `holding_id` it covers {@link HOLDING_NUMBER}: the chain of
 * an index does not depend on what was recorded of others before.
 */
export const HASHED_FIELDS = {
  index_prints: [
    'ticker',
    'at',
    'revision',
    'level',
    'divisor',
    'cash',
    'coverage',
    'holding_id',
    'definition_key',
    'methodology_version',
    'recorded_at',
  ],
  rate_prints: [
    'ticker',
    'at',
    'revision',
    'price',
    'spread',
    'definition_key',
    'methodology_version',
    'recorded_at',
  ],
} as const;

/** SQL: the number of a row of holdings among those of its index. Old rows are numbered by their ids. */
export const HOLDING_NUMBER = 'coalesce(number, holding_id)';

/**
 * The INSERT of a print; its values are the fields that the hash covers in order, the two hashes, then further columns.
 */
export function insertPrintSql(table: keyof typeof HASHED_FIELDS, more: readonly string[] = []): string {
  const columns = [...HASHED_FIELDS[table], 'previous_hash', 'hash', ...more];
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

/**
 * The hash chain of one ticker's prints in the order of recording. Each print has the hash of the previous one and its
 * own: SHA-256 over the previous hash, the row's fields in order, and the blobs of its receipt. Altering a print later
 * breaks the chain at that print.
 */
export class PrintChain {
  #last: Buffer | null;

  constructor(reader: Reader, table: keyof typeof HASHED_FIELDS, ticker: string) {
    const sql = `SELECT hash FROM ${table} WHERE ticker = ? ORDER BY print_id DESC LIMIT 1`;
    this.#last = reader.value<Buffer>(sql, ticker) ?? null;
  }

  /** Appends a print to the chain. @returns its link */
  add(row: Record<string, Value>, ...blobs: Buffer[]): Link {
    const previous_hash = this.#last;
    this.#last = linkHash(previous_hash, row, blobs);
    return { previous_hash, hash: this.#last };
  }
}

// Holds the bytes to be hashed; a print with a hundred constituents takes 4 kB.
let scratch = Buffer.allocUnsafe(8192);

/** The hash of a print: over the previous hash, its fields in order, and the blobs of its receipt. */
export function linkHash(
  previous: Buffer | null,
  row: Record<string, Value>,
  blobs: readonly Buffer[],
): Buffer {
  const fields = JSON.stringify(row);
  const room = blobs.reduce(
    (total, blob) => total + blob.length,
    (previous?.length ?? 0) + fields.length * 3,
  );
  if (scratch.length < room) scratch = Buffer.allocUnsafe(room);
  const bytes = scratch;
  let end = previous ? previous.copy(bytes) : 0;
  end += bytes.write(fields, end);
  for (const blob of blobs) end += blob.copy(bytes, end);
  // Hex and back, because the output as a buffer takes half as long again.
  return Buffer.from(hash('sha256', bytes.subarray(0, end), 'hex'), 'hex');
}
