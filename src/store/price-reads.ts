import {
  type Observation,
  PRICE_COLUMNS,
  type PriceColumn,
  type PriceColumns,
  SERIES,
  type Series,
} from '../model/observation.ts';
import type { Instant } from '../model/units.ts';
import { ChunkReads, type Part } from './chunk-reads.ts';
import { mergeParts, type PriceSpan } from './price-merge.ts';
import type { Reader } from './store.ts';

export type TailRow = {
  observed_at: Instant;
  market_key: number;
  series: Series;
  recorded_at: Instant;
} & Record<PriceColumn, number | null>;

/** The tail's rows by market. */
export type Tail = ReadonlyMap<number, TailRow[]>;

/**
 * The tail's rows of some markets. Cost: one pass over the tail, which compaction keeps short; load it once
 * for many markets.
 */
export function loadTail(reader: Reader, marketKeys: ReadonlySet<number>): Tail {
  const tail = new Map<number, TailRow[]>();
  const sql = 'SELECT * FROM price_tail ORDER BY observed_at, market_key, series, recorded_at';
  for (const row of reader.iterate<TailRow>(sql)) {
    if (!marketKeys.has(row.market_key)) continue;
    const rows = tail.get(row.market_key);
    if (rows) rows.push(row);
    else tail.set(row.market_key, [row]);
  }
  return tail;
}

/**
 * The observations of one market from `from` to `until`, both ends included; where a value was revised, the
 * newest. A market nobody has observed gives empty columns.
 *
 * @param chunks of the span's columns, kept by a run that reads one span after the other
 */
export function selectPrices(
  reader: Reader,
  marketKey: number,
  span: PriceSpan,
  tail: Tail,
  chunks = new ChunkReads(span.columns ?? PRICE_COLUMNS),
): PriceColumns {
  const { series, until } = span;
  // What was known earlier may stand in an earlier chunk than what is known now.
  const from = (span.knownAt ?? Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY ? span.from : 0;
  const parts = chunks.select(reader, marketKey, { ...(series ? { series } : {}), from, until });
  const fresh = tail.get(marketKey)?.filter((row) => row.series === (series ?? row.series));
  for (const [name, rows] of Map.groupBy(fresh ?? [], (row) => row.series))
    parts.push(tailPart(rows, SERIES.indexOf(name), chunks.columns));
  return mergeParts(parts, span, chunks.columns);
}

/** The same observations as records, one an instant and series. */
export function observationsOf(columns: PriceColumns): (Observation & { series: Series })[] {
  return Array.from(columns.observed_at, (observed_at, i) => {
    const observation: Observation & { series: Series } = {
      observed_at,
      series: SERIES[columns.series[i] as number] as Series,
    };
    for (const column of PRICE_COLUMNS) {
      const value = columns[column]?.[i];
      if (value !== undefined && !Number.isNaN(value)) observation[column] = value;
    }
    return observation;
  });
}

/** A row of the tail as an observation. */
export function observationOf(row: TailRow): Observation {
  const observation: Observation = { observed_at: row.observed_at };
  for (const column of PRICE_COLUMNS) {
    const value = row[column];
    if (value !== null) observation[column] = value;
  }
  return observation;
}

function tailPart(rows: readonly TailRow[], series: number, wanted: readonly PriceColumn[]): Part {
  return {
    series,
    points: rows.length,
    observed: { first: 0, offsets: Float64Array.from(rows, (row) => row.observed_at) },
    recorded: { first: 0, offsets: Float64Array.from(rows, (row) => row.recorded_at) },
    columns: wanted.map((column) => Float64Array.from(rows, (row) => row[column] ?? Number.NaN)),
  };
}
