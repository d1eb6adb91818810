import { createHash } from 'node:crypto';
import type { Reader, Value } from './store.ts';

/** The two hashes that a print is recorded with. */
export interface Link {
  previous_hash: Buffer | null;
  hash: Buffer;
}

const LAST = {
  index_prints: 'SELECT hash FROM index_prints WHERE ticker = ? ORDER BY print_id DESC LIMIT 1',
  rate_prints: 'SELECT hash FROM rate_prints WHERE ticker = ? ORDER BY print_id DESC LIMIT 1',
} as const;

/**
 * The chain of one ticker's prints in the order of recording: each has the hash of the one before and its own,
 * SHA-256 over that hash, the row's fields in their order, and what entered it. A print altered later breaks
 * the chain there.
 */
export class PrintChain {
  #last: Buffer | null;

  constructor(reader: Reader, table: keyof typeof LAST, ticker: string) {
    this.#last = reader.get<{ hash: Buffer }>(LAST[table], ticker)?.hash ?? null;
  }

  /** The link of the next print; the chain goes on from it. */
  add(row: Record<string, Value>, ...blobs: Buffer[]): Link {
    const previous_hash = this.#last;
    const hash = createHash('sha256');
    hash.update(previous_hash ?? '').update(JSON.stringify(row));
    for (const blob of blobs) hash.update(blob);
    this.#last = hash.digest();
    return { previous_hash, hash: this.#last };
  }
}
