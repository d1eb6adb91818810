import { hash } from 'node:crypto';
import type { Instant } from '../../model/units.ts';
import type { Reader, Value } from '../store.ts';

/** The hash of a print, and that of the print before it; null for the first. */
export interface Link {
  previous_hash: Buffer | null;
  hash: Buffer;
}

/** The columns of a print that say what it is, in order. */
const COLUMNS = {
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

/** A definition as hashes of prints name it: by what is the same in every store, not by its key. */
export interface HashedDefinition {
  definition: string;
  adopted_at: Instant;
}

const withoutKeys = (columns: readonly string[]) =>
  columns
    .filter((each) => each !== 'holding_id')
    .flatMap((each) => (each === 'definition_key' ? ['definition', 'adopted_at'] : each));

/**
 * The fields of a print that its hash covers, in order, by the form of the hash. Form 0, of older prints, covers the key
 * of the definition, and for `holding_id` the number of the holdings; form 1 covers a {@link HashedDefinition}.
 */
export const HASHED_FIELDS = {
  index_prints: [COLUMNS.index_prints, withoutKeys(COLUMNS.index_prints)],
  rate_prints: [COLUMNS.rate_prints, withoutKeys(COLUMNS.rate_prints)],
} as const;

/** The INSERT of a print; its values are those of its columns in order, the two hashes, then further columns. */
export function insertPrintSql(table: keyof typeof COLUMNS, more: readonly string[] = []): string {
  const columns = [...COLUMNS[table], 'previous_hash', 'hash', ...more];
  return `INSERT INTO ${table} (${columns.join(', ')}, hash_form) VALUES (${columns.map(() => '?').join(', ')}, 1)`;
}

/**
 * What stands in the hash of a print for the markets of its lines, and for their quantities if it has them: SHA-256 over
 * the ids, which are the same in every store.
 */
export function hashContents(marketIds: readonly string[], quantities?: Buffer): Buffer {
  const ids = Buffer.from(JSON.stringify(marketIds));
  return hash('sha256', quantities ? Buffer.concat([ids, quantities]) : ids, 'buffer');
}

/**
 * The hash chain of one ticker's prints in the order of recording. Each print has the hash of the previous one and its
 * own: SHA-256 over the previous hash, the row's fields in order, its receipt, and what it holds. Altering a print later
 * breaks the chain at that print.
 */
export class PrintChain {
  #last: Buffer | null;

  constructor(reader: Reader, table: keyof typeof COLUMNS, ticker: string) {
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

/** A hash of a chain: over the previous hash, the fields of a row in order, and blobs. */
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
