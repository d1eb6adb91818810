import {
  type Observation,
  PRICE_COLUMNS,
  type PriceColumn,
  type PriceColumns,
  SERIES,
  type Series,
} from '../model/observation.ts';
import type { Instant } from '../model/units.ts';
import { type Part, selectChunks } from './price-chunks.ts';
import type { Reader } from './store.ts';

export interface PriceSpan {
  /** One series, or all when left out. */
  series?: Series;
  from: Instant;
  until: Instant;
  /** Adds, of each series, the last observation before `from` and the last with a trade: both were in force. */
  carry?: boolean;
  /** Columns wanted; all when left out. */
  columns?: readonly PriceColumn[];
  /** Leaves out what was recorded later: what was known at this instant. */
  knownAt?: Instant;
}

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
  for (const row of reader.iterate<TailRow>('SELECT * FROM price_tail')) {
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
 */
export function selectPrices(reader: Reader, marketKey: number, span: PriceSpan, tail: Tail): PriceColumns {
  const wanted = span.columns ?? PRICE_COLUMNS;
  const parts: Part[] = [];
  for (const [i, series] of SERIES.entries()) {
    if (span.series && span.series !== series) continue;
    // What was known earlier may stand in an earlier chunk than what is known now.
    const from = (span.knownAt ?? Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY ? span.from : 0;
    parts.push(...selectChunks(reader, marketKey, i, { from, until: span.until }, wanted));
    const rows =
      tail.get(marketKey)?.filter((row) => row.series === series && row.observed_at <= span.until) ?? [];
    if (rows.length > 0) parts.push(partOf(rows, i, wanted));
  }
  return merge(parts, span, wanted);
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

function partOf(rows: readonly TailRow[], series: number, wanted: readonly PriceColumn[]): Part {
  return {
    series,
    observed_at: Float64Array.from(rows, (row) => row.observed_at),
    recorded_at: Float64Array.from(rows, (row) => row.recorded_at),
    columns: wanted.map((column) => Float64Array.from(rows, (row) => row[column] ?? Number.NaN)),
  };
}

function merge(parts: readonly Part[], span: PriceSpan, wanted: readonly PriceColumn[]): PriceColumns {
  const places: { part: Part; i: number; at: Instant; recorded: Instant }[] = [];
  for (const part of parts)
    for (let i = 0; i < part.observed_at.length; i++) {
      const at = part.observed_at[i] as number;
      const recorded = part.recorded_at[i] as number;
      if (at <= span.until && recorded <= (span.knownAt ?? Number.POSITIVE_INFINITY))
        places.push({ part, i, at, recorded });
    }
  places.sort((a, b) => a.at - b.at || a.part.series - b.part.series || a.recorded - b.recorded);
  const kept = keepNewestRevision(places);
  const carried = span.carry ? inForce(kept, span.from, wanted.indexOf('last')) : new Set();
  const rows = kept.filter((place) => place.at >= span.from || carried.has(place));
  const columns: PriceColumns = {
    observed_at: Float64Array.from(rows, (place) => place.at),
    series: Uint8Array.from(rows, (place) => place.part.series),
  };
  for (const [c, column] of wanted.entries())
    columns[column] = Float64Array.from(rows, ({ part, i }) => part.columns[c]?.[i] ?? Number.NaN);
  return columns;
}

// Of each series the last place before an instant, and the last that has a trade: a trade stands until the next.
function inForce<Place extends { at: Instant; part: Part; i: number }>(
  places: readonly Place[],
  from: Instant,
  tradeColumn: number,
): Set<Place> {
  const newest = new Map<number, Place>();
  const traded = new Map<number, Place>();
  for (const place of places) {
    if (place.at >= from) break;
    newest.set(place.part.series, place);
    if (!Number.isNaN(place.part.columns[tradeColumn]?.[place.i] ?? Number.NaN))
      traded.set(place.part.series, place);
  }
  return new Set([...newest.values(), ...traded.values()]);
}

function keepNewestRevision<Place extends { at: Instant; part: Part }>(places: readonly Place[]): Place[] {
  return places.filter((place, i) => {
    const next = places[i + 1];
    return next === undefined || next.at !== place.at || next.part.series !== place.part.series;
  });
}
