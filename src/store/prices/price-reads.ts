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

/** The tail's rows by market. */
export type Tail = ReadonlyMap<number, TailRow[]>;

// Rows of other markets stay in SQLite: most of what a row costs is to hand it over.
const SELECT_TAIL = `SELECT * FROM price_tail WHERE market_key IN (SELECT value FROM json_each(?))
  ORDER BY observed_at, market_key, series, recorded_at`;

/**
 * The tail's rows of some markets. Cost: one pass over the tail, which compaction keeps short; load it once
 * for many markets.
 */
export function loadTail(reader: Reader, marketKeys: Iterable<number>): Tail {
  const rows = reader.iterate<TailRow>(SELECT_TAIL, JSON.stringify([...marketKeys]));
  return Map.groupBy(rows, (row) => row.market_key);
}

/**
 * The observations of one market from `from` to `until`, both ends included; where a value was revised, the
 * newest. A market nobody has observed gives empty columns.
 */
export function selectPrices(reader: Reader, marketKey: number, span: PriceSpan, tail: Tail): PriceColumns {
  const { columns = PRICE_COLUMNS } = span;
  const fresh = freshParts(tailParts(tail.get(marketKey) ?? []), span);
  const chunks = new ChunkReads(columns, { points: 0 }).select(reader, marketKey, span, fresh);
  return mergeParts([...chunks, ...fresh], span, columns);
}

/**
 * Reads by a run that walks through time: the tail is passed once for each market, and no chunk is read twice while
 * there is room. No prices may be written meanwhile.
 */
export class PriceReads {
  /** By the columns that are read. */
  readonly #chunks = new Map<string, ChunkReads>();
  readonly #fresh = new Map<number, Part[]>();
  readonly #room: Room;

  /** @param room points of chunks that are kept at most */
  constructor(room: number) {
    this.#room = { points: room };
  }

  /** Reads what the tail has of some markets, so that it is passed once for all of them. */
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

/** The parts of the tail that a span asks for, with its columns. */
function freshParts(parts: readonly Part[], { series, columns = PRICE_COLUMNS }: PriceSpan): Part[] {
  const wanted = series === undefined ? parts : parts.filter((part) => SERIES[part.series] === series);
  return wanted.map((part) => ({
    ...part,
    columns: columns.map((column) => part.columns[PRICE_COLUMNS.indexOf(column)]),
  }));
}
