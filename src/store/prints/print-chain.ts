import { hash } from 'node:crypto';
import type { Reader, Value } from '../store.ts';

/** The two hashes that a print is recorded with. */
export interface Link {
  previous_hash: Buffer | null;
  hash: Buffer;
}

/** The fields of a print that its hash covers, in their order. */
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

/** Records a print: the fields that its hash covers in their order, the two hashes, then more columns. */
export function insertPrintSql(table: keyof typeof HASHED_FIELDS, more: readonly string[] = []): string {
  const columns = [...HASHED_FIELDS[table], 'previous_hash', 'hash', ...more];
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

/**
 * The chain of one ticker's prints in the order of recording: each has the hash of the one before and its own,
 * SHA-256 over that hash, the row's fields in their order, and what entered it. A print altered later breaks
 * the chain there.
 */
export class PrintChain {
  #last: Buffer | null;

  constructor(reader: Reader, table: keyof typeof HASHED_FIELDS, ticker: string) {
    const sql = `SELECT hash FROM ${table} WHERE ticker = ? ORDER BY print_id DESC LIMIT 1`;
    this.#last = reader.value<Buffer>(sql, ticker) ?? null;
  }

  /** The link of the next print; the chain goes on from it. */
  add(row: Record<string, Value>, ...blobs: Buffer[]): Link {
    const previous_hash = this.#last;
    this.#last = linkHash(previous_hash, row, blobs);
    return { previous_hash, hash: this.#last };
  }
}

// What is hashed is written here and read at once; a print of a hundred names takes 4 kB.
let scratch = Buffer.allocUnsafe(8192);

/** The hash of a print: over the hash before it, its fields in their order, and the blobs that entered it. */
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
  // Asked for as a buffer it takes half as long again.
  return Buffer.from(hash('sha256', bytes.subarray(0, end), 'hex'), 'hex');
}
