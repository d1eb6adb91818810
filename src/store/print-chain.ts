import { createHash } from 'node:crypto';
import type { Value, Writer } from './store.ts';

/**
 * The hash that ties a print to the one recorded before it for the same ticker: SHA-256 over the earlier
 * hash, the row's fields in their order, and what entered it. A print altered later breaks the chain there.
 */
export function chainHash(
  writer: Writer,
  table: 'index_prints' | 'rate_prints',
  ticker: string,
  row: Record<string, Value>,
  ...blobs: Buffer[]
): { previous_hash: Buffer | null; hash: Buffer } {
  const last = writer.get<{ hash: Buffer }>(LAST[table], ticker);
  const hash = createHash('sha256')
    .update(last?.hash ?? '')
    .update(JSON.stringify(row));
  for (const blob of blobs) hash.update(blob);
  return { previous_hash: last?.hash ?? null, hash: hash.digest() };
}

const LAST = {
  index_prints: 'SELECT hash FROM index_prints WHERE ticker = ? ORDER BY print_id DESC LIMIT 1',
  rate_prints: 'SELECT hash FROM rate_prints WHERE ticker = ? ORDER BY print_id DESC LIMIT 1',
} as const;
