import type { Writer } from '../store.ts';
import { insertChunks, takeOpenChunk } from './price-chunks.ts';
import { observationOf, type TailRow } from './price-reads.ts';

/** From this many rows on, the tail is worth moving into chunks. */
const COMPACT_FROM = 100_000;

/**
 * Moves the tail into chunks when it has grown long. The last chunk of a series is written anew with the
 * rows added until it is closed; closed chunks are never touched. What is read stays the same.
 *
 * @returns the number of rows moved
 */
export function compactTail(writer: Writer, options: { from?: number } = {}): number {
  const rows = writer.get<{ count: number }>('SELECT count(*) AS count FROM price_tail')?.count ?? 0;
  if (rows === 0 || rows < (options.from ?? COMPACT_FROM)) return 0;
  const groups = Map.groupBy(
    writer.iterate<TailRow>('SELECT * FROM price_tail ORDER BY observed_at, recorded_at'),
    (row) => `${row.market_key} ${row.series}`,
  );
  for (const tail of groups.values()) {
    const { market_key, series } = tail[0] as TailRow;
    const added = tail.map((row) => ({ ...observationOf(row), recorded_at: row.recorded_at }));
    const open = takeOpenChunk(writer, market_key, series);
    const merged = [...open, ...added].sort(
      (a, b) => a.observed_at - b.observed_at || a.recorded_at - b.recorded_at,
    );
    insertChunks(writer, market_key, series, merged, (each) => each.recorded_at);
  }
  writer.run('DELETE FROM price_tail');
  return rows;
}
