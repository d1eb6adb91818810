import { type Observation, PRICE_COLUMNS, type PriceColumn, type Series } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader, Writer } from '../store.ts';
import { type ChunkRow, partOf } from './chunk-reads.ts';
import { encodeColumn, encodeInstants, instantAt, valueAt } from './price-codec.ts';

/** A chunk this long is closed: compaction begins a new one instead of writing it again. */
const CHUNK_CLOSED = 4000;

/**
 * An open chunk so many times as long as what follows it waits until more does. So a point is written again a few times
 * until its chunk is closed, not as often as another one comes, and a series has a few open chunks, each a fraction of
 * the one before.
 */
const WAITS_FROM = 4;

const COLUMN_LIST = PRICE_COLUMNS.join(', ');

const INSERT_CHUNK = `INSERT INTO price_chunks
  (market_key, series, first_at, last_at, points, observed, recorded, ${COLUMN_LIST})
  VALUES (?, ?, ?, ?, ?, ?, ?, ${PRICE_COLUMNS.map(() => '?').join(', ')})`;

/** An observation with the instant at which it became known. */
export type Recorded = Observation & { recorded_at: Instant };

/**
 * Writes observations of one series, in time order, as one chunk or, when there are many, several.
 *
 * @param recordedAt when an observation became known
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

// A function for each column: to read by a name that varies takes twice as long.
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

/** Whether anything of a series lies in chunks. */
export function hasChunks(reader: Reader, marketKey: number, series: Series): boolean {
  const sql = 'SELECT 1 FROM price_chunks WHERE market_key = +? AND series = +? LIMIT 1';
  return reader.get(sql, marketKey, series) !== undefined;
}

/**
 * Takes the last chunks of a series out of the store: those that are written again with what is added. None is that is
 * closed, nor one that is much longer and over before what is added begins.
 *
 * @param added in time order, at least one
 * @returns the observations taken and those added, in time order, revisions side by side
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
    // Of two words of one run the one that was written first stays before the other.
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
