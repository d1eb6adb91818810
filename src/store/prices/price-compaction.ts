import type { Writer } from '../store.ts';
import { insertChunks, takeOpenChunks } from './price-chunks.ts';
import { observationOf, type TailRow } from './price-reads.ts';

/** The tail is moved into chunks when it has at least this many rows. */
const COMPACT_FROM = 100_000;

/** Markets whose rows are moved together, in one pass over the tail. Limits how much of it is in memory. */
const MARKETS_AT_ONCE = 20_000;

/**
 * Moves the tail into chunks when it has grown long. Open chunks at the end of a series are rewritten with the new
 * rows, unless they are much longer; closed chunks are never rewritten. Reads give the same results before and after.
 *
 * @returns the number of rows moved
 */
export function compactTail(
  writer: Writer,
  { from = COMPACT_FROM, marketsAtOnce = MARKETS_AT_ONCE }: { from?: number; marketsAtOnce?: number } = {},
): number {
  const rows = writer.value<number>('SELECT count(*) FROM price_tail') ?? 0;
  if (rows === 0 || rows < from) return 0;
  const keys = writer.column<number>('SELECT DISTINCT market_key FROM price_tail ORDER BY market_key');
  for (let i = 0; i < keys.length; i += marketsAtOnce) {
    const last = Math.min(i + marketsAtOnce, keys.length) - 1;
    moveRows(writer, keys[i] as number, keys[last] as number);
  }
  writer.run('DELETE FROM price_tail');
  return rows;
}

/** Moves the rows of the markets from one key to another, both inclusive. */
function moveRows(writer: Writer, firstKey: number, lastKey: number): void {
  const rows = writer.iterate<TailRow>(
    'SELECT * FROM price_tail WHERE market_key BETWEEN ? AND ? ORDER BY observed_at, recorded_at',
    firstKey,
    lastKey,
  );
  for (const tail of Map.groupBy(rows, (row) => `${row.market_key} ${row.series}`).values()) {
    const { market_key, series } = tail[0] as TailRow;
    const added = tail.map((row) => ({ ...observationOf(row), recorded_at: row.recorded_at }));
    const merged = takeOpenChunks(writer, market_key, series, added);
    insertChunks(writer, market_key, series, merged, (each) => each.recorded_at);
  }
}
