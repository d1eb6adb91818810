import { type Observation, PRICE_COLUMNS, type PriceColumn, type Series } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader, Writer } from '../store.ts';
import { type ChunkRow, partOf } from './chunk-reads.ts';
import { encodeColumn, encodeInstants, instantAt, valueAt } from './price-codec.ts';

/** A chunk with this many points is closed: compaction starts a new one instead of rewriting it. */
const CHUNK_CLOSED = 4000;

/**
 * An open chunk this many times as long as the new points after it is not merged with them yet. Each point is thus
 * rewritten only a few times until its chunk is closed, and a series has a few open chunks, each a fraction of the size
 * of the one before.
 */
const WAITS_FROM = 4;

const COLUMN_LIST = PRICE_COLUMNS.join(', ');

const INSERT_CHUNK = `INSERT INTO price_chunks
  (market_key, series, first_at, last_at, points, observed, recorded, ${COLUMN_LIST})
  VALUES (?, ?, ?, ?, ?, ?, ?, ${PRICE_COLUMNS.map(() => '?').join(', ')})`;

/** An observation with the instant at which it became known. */
export type Recorded = Observation & { recorded_at: Instant };

/**
 * Writes observations of one series as one or more chunks.
 *
 * @param observations in time order
 * @param recordedAt returns the instant at which an observation became known
 */
export function insertChunks<Row extends Observation>(
  writer: Writer,
  marketKey: number,
  series: Series,
  observations: readonly Row[],
  recordedAt: (row: Row) => Instant,
): void {
  for (let from = 0; from < observations.length; from += CHUNK_CLOSED) {
    const part = observations.slice(from, from + CHUNK_CLOSED);
    const first = part[0]?.observed_at as Instant;
    const last = part.at(-1)?.observed_at as Instant;
    const observed = encodeInstants(part, (row) => row.observed_at, first);
    const recorded = encodeInstants(part, recordedAt, first);
    const columns = PRICE_COLUMNS.map((column) => encodeColumn(part, VALUE_OF[column]));
    writer.run(INSERT_CHUNK, marketKey, series, first, last, part.length, observed, recorded, ...columns);
  }
}

// A function for each column: dynamic property access takes twice as long.
const VALUE_OF: Record<PriceColumn, (row: Observation) => number | undefined> = {
  bid: (row) => row.bid,
  ask: (row) => row.ask,
  last: (row) => row.last,
  open: (row) => row.open,
  high: (row) => row.high,
  low: (row) => row.low,
  volume: (row) => row.volume,
  open_interest: (row) => row.open_interest,
};

/** Whether a series has any chunks. */
export function hasChunks(reader: Reader, marketKey: number, series: Series): boolean {
  const sql = 'SELECT 1 FROM price_chunks WHERE market_key = +? AND series = +? LIMIT 1';
  return reader.get(sql, marketKey, series) !== undefined;
}

/**
 * Removes the last open chunks of a series from the store, to be rewritten together with new observations. It stops at
 * a closed chunk, and at one that is much longer than what was taken so far and ends before that begins.
 *
 * @param added new observations in time order, at least one
 * @returns the observations of the removed chunks and the new ones, in time order, revisions next to each other
 */
export function takeOpenChunks(
  writer: Writer,
  marketKey: number,
  series: Series,
  added: readonly Recorded[],
): Recorded[] {
  let taken = [...added];
  let begins = (added[0] as Recorded).observed_at;
  for (;;) {
    const last = writer.get<{ chunk_id: number; first_at: Instant; last_at: Instant; points: number }>(
      `SELECT chunk_id, first_at, last_at, points FROM price_chunks WHERE market_key = +? AND series = +?
       ORDER BY last_at DESC, chunk_id DESC LIMIT 1`,
      marketKey,
      series,
    );
    if (!last || last.points >= CHUNK_CLOSED) break;
    if (last.points >= WAITS_FROM * taken.length && last.last_at < begins) break;
    begins = Math.min(begins, last.first_at);
    // The sort below is stable: of two values that one run recorded for an instant, the one written first stays first.
    taken = [...takeChunk(writer, last.chunk_id, series), ...taken];
  }
  return taken.sort((a, b) => a.observed_at - b.observed_at || a.recorded_at - b.recorded_at);
}

function takeChunk(writer: Writer, chunkId: number, series: Series): Recorded[] {
  const row = writer.get<ChunkRow>('SELECT * FROM price_chunks WHERE chunk_id = ?', chunkId) as ChunkRow;
  writer.run('DELETE FROM price_chunks WHERE chunk_id = ?', chunkId);
  const { points, observed, recorded, columns } = partOf(row, series, PRICE_COLUMNS);
  return Array.from({ length: points }, (_none, i) => {
    const observation: Recorded = {
      observed_at: instantAt(observed, i),
      recorded_at: instantAt(recorded, i),
    };
    for (const [c, column] of PRICE_COLUMNS.entries()) {
      const value = valueAt(columns[c], i);
      if (!Number.isNaN(value)) observation[column] = value;
    }
    return observation;
  });
}
