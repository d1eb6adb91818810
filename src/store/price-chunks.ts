import {
  type Observation,
  PRICE_COLUMNS,
  type PriceColumn,
  SERIES,
  type Series,
} from '../model/observation.ts';
import type { Instant } from '../model/units.ts';
import { decodeColumn, decodeInstants, encodeColumn, encodeInstants } from './price-codec.ts';
import type { Reader, Writer } from './store.ts';

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
  const sql = 'SELECT 1 FROM price_chunks WHERE market_key = ? AND series = ? LIMIT 1';
  return reader.get(sql, marketKey, series) !== undefined;
}

/**
 * Takes the last chunk of a series out of the store, unless it is closed.
 *
 * @returns its observations in time order, revisions side by side; none when there is no open chunk
 */
export function takeOpenChunk(writer: Writer, marketKey: number, series: Series): Recorded[] {
  const row = writer.get<ChunkRow & { chunk_id: number }>(
    `SELECT * FROM price_chunks WHERE market_key = ? AND series = ? ORDER BY last_at DESC, chunk_id DESC LIMIT 1`,
    marketKey,
    series,
  );
  if (!row || row.points >= CHUNK_CLOSED) return [];
  writer.run('DELETE FROM price_chunks WHERE chunk_id = ?', row.chunk_id);
  const { observed_at, recorded_at, columns } = decodeChunk(row, 0, PRICE_COLUMNS);
  return Array.from(observed_at, (at, i) => {
    const observation: Recorded = { observed_at: at, recorded_at: recorded_at[i] as Instant };
    for (const [c, column] of PRICE_COLUMNS.entries()) {
      const value = columns[c]?.[i];
      if (value !== undefined && !Number.isNaN(value)) observation[column] = value;
    }
    return observation;
  });
}

/** Observations of a stretch of one series, as they are stored. */
export interface Part {
  series: number;
  observed_at: Float64Array;
  recorded_at: Float64Array;
  columns: Float64Array[];
}

type ChunkRow = { first_at: Instant; points: number; observed: Buffer; recorded: Buffer } & Record<
  PriceColumn,
  Buffer | null
>;

// The chunks that reach into the span, and of each series the one before it and the last before it that has a
// trade: what stands at their ends was in force when the span began. The pluses keep the values from the planner,
// which would plan anew for each: four times the time.
const selectChunksSql = (wanted: readonly PriceColumn[]) => `WITH before AS (
    SELECT series, max(first_at) AS first_at,
      max(first_at) FILTER (WHERE last IS NOT NULL AND last_at < +@from) AS traded_at
    FROM price_chunks WHERE market_key = +@market_key AND first_at < +@from GROUP BY series
  )
  SELECT series, chunk.first_at, points, observed, recorded, ${wanted.join(', ')}
  FROM price_chunks AS chunk LEFT JOIN before USING (series)
  WHERE market_key = +@market_key AND series = coalesce(+@series, series) AND chunk.first_at <= +@until
    AND last_at >= coalesce(min(before.first_at, coalesce(traded_at, before.first_at)), 0)
  ORDER BY chunk_id`;

/** The chunks of a market, of one series or all, that hold what was known from `from` to `until`. */
export function selectChunks(
  reader: Reader,
  marketKey: number,
  { series = null, from, until }: { series?: Series | null; from: Instant; until: Instant },
  wanted: readonly PriceColumn[],
): Part[] {
  const rows = reader.all<ChunkRow & { series: Series }>(selectChunksSql(wanted), {
    market_key: marketKey,
    series,
    from,
    until,
  });
  return rows.map((row) => decodeChunk(row, SERIES.indexOf(row.series), wanted));
}

function decodeChunk(row: ChunkRow, series: number, wanted: readonly PriceColumn[]): Part {
  return {
    series,
    observed_at: decodeInstants(row.observed, row.points, row.first_at),
    recorded_at: decodeInstants(row.recorded, row.points, row.first_at),
    columns: wanted.map((column) => decodeColumn(row[column], row.points)),
  };
}
