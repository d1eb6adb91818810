import {
  type Observation,
  PRICE_COLUMNS,
  type PriceColumn,
  type PriceColumns,
  SERIES,
  type Series,
} from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../store.ts';
import { ChunkReads, type Room } from './chunk-reads.ts';
import { mergeParts } from './price-merge.ts';
import type { Part, PriceSpan } from './price-span.ts';

export type TailRow = {
  observed_at: Instant;
  market_key: number;
  series: Series;
  recorded_at: Instant;
} & Record<PriceColumn, number | null>;

export type Tail = ReadonlyMap<number, TailRow[]>;

// Filtered in SQLite, because most of the cost of a row is to pass it to JavaScript.
const SELECT_TAIL = `SELECT * FROM price_tail WHERE market_key IN (SELECT value FROM json_each(?))
  ORDER BY observed_at, market_key, series, recorded_at`;

/**
 * The tail's rows of some markets. Cost: one pass over the tail, which compaction keeps short; so load it once for many
 * markets.
 */
export function loadTail(reader: Reader, marketKeys: Iterable<number>): Tail {
  const rows = reader.iterate<TailRow>(SELECT_TAIL, JSON.stringify([...marketKeys]));
  return Map.groupBy(rows, (row) => row.market_key);
}

/**
 * The observations of one market from `from` to `until`, both inclusive, with only the newest revision of each. The
 * columns are empty for a market without observations.
 *
 * @param tail where it was loaded for many markets
 */
export function selectPrices(
  reader: Reader,
  marketKey: number,
  span: PriceSpan,
  tail: Tail = loadTail(reader, [marketKey]),
): PriceColumns {
  const { columns = PRICE_COLUMNS } = span;
  const fresh = freshParts(tailParts(tail.get(marketKey) ?? []), span);
  const chunks = new ChunkReads(columns, { points: 0 }).select(reader, marketKey, span, fresh);
  return mergeParts([...chunks, ...fresh], span, columns);
}

/**
 * Price reads for a run that moves forward in time: the tail is read once for each market, and chunks are cached as
 * long as there is room. No prices may be written meanwhile.
 */
export class PriceReads {
  /** By the columns read. */
  readonly #chunks = new Map<string, ChunkReads>();
  readonly #fresh = new Map<number, Part[]>();
  readonly #room: Room;

  /** @param room size limit of the cache of chunks, in points */
  constructor(room: number) {
    this.#room = { points: room };
  }

  /** Loads the tail's rows of some markets, in one pass for all of them. */
  passTail(reader: Reader, marketKeys: readonly number[]): void {
    const others = marketKeys.filter((key) => !this.#fresh.has(key));
    if (others.length === 0) return;
    const tail = loadTail(reader, others);
    for (const key of others) this.#fresh.set(key, tailParts(tail.get(key) ?? []));
  }

  /** The same as {@link selectPrices}. */
  select(reader: Reader, marketKey: number, span: PriceSpan): PriceColumns {
    this.passTail(reader, [marketKey]);
    const { columns = PRICE_COLUMNS } = span;
    const name = columns.join();
    const chunks = this.#chunks.get(name) ?? new ChunkReads(columns, this.#room);
    this.#chunks.set(name, chunks);
    const fresh = freshParts(this.#fresh.get(marketKey) ?? [], span);
    return mergeParts([...chunks.select(reader, marketKey, span, fresh), ...fresh], span, columns);
  }
}

/** Converts columns to records, one for each instant and series. */
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

/** The tail's rows of a market as parts with all columns, one for each series. */
function tailParts(rows: readonly TailRow[]): Part[] {
  return Array.from(
    Map.groupBy(rows, (row) => row.series),
    ([series, ofSeries]) => ({
      series: SERIES.indexOf(series),
      points: ofSeries.length,
      observed: { first: 0, offsets: Float64Array.from(ofSeries, (row) => row.observed_at) },
      recorded: { first: 0, offsets: Float64Array.from(ofSeries, (row) => row.recorded_at) },
      columns: PRICE_COLUMNS.map((column) =>
        ofSeries.some((row) => row[column] !== null)
          ? Float64Array.from(ofSeries, (row) => row[column] ?? Number.NaN)
          : undefined,
      ),
    }),
  );
}

/** The parts of the tail with the series and columns of a span. */
function freshParts(parts: readonly Part[], { series, columns = PRICE_COLUMNS }: PriceSpan): Part[] {
  const wanted = series === undefined ? parts : parts.filter((part) => SERIES[part.series] === series);
  return wanted.map((part) => ({
    ...part,
    columns: columns.map((column) => part.columns[PRICE_COLUMNS.indexOf(column)]),
  }));
}
