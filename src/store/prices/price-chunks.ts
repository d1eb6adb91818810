import { type Observation, PRICE_COLUMNS, type PriceColumn, type Series } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader, Writer } from '../store.ts';
import { type ChunkRow, partOf } from './chunk-reads.ts';
import { encodeColumn, encodeInstants, instantAt, valueAt } from './price-codec.ts';

/** A chunk this long is closed: compaction begins a new one instead of writing it again. */
const CHUNK_CLOSED = 4000;

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

// A reader each: one for a name that varies takes twice the time.
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
  // The plus keeps the value from the planner, which would plan anew for each one.
  const sql = 'SELECT 1 FROM price_chunks WHERE market_key = +? AND series = +? LIMIT 1';
  return reader.get(sql, marketKey, series) !== undefined;
}

/**
 * Takes the last chunk of a series out of the store, unless it is closed.
 *
 * @returns its observations in time order, revisions side by side; none when there is no open chunk
 */
export function takeOpenChunk(writer: Writer, marketKey: number, series: Series): Recorded[] {
  const row = writer.get<ChunkRow & { chunk_id: number }>(
    `SELECT * FROM price_chunks WHERE market_key = +? AND series = +? ORDER BY last_at DESC, chunk_id DESC LIMIT 1`,
    marketKey,
    series,
  );
  if (!row || row.points >= CHUNK_CLOSED) return [];
  writer.run('DELETE FROM price_chunks WHERE chunk_id = ?', row.chunk_id);
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
