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
  const { series, until } = span;
  // What was known earlier may stand in an earlier chunk than what is known now.
  const from = (span.knownAt ?? Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY ? span.from : 0;
  const parts = selectChunks(reader, marketKey, { ...(series ? { series } : {}), from, until }, wanted);
  const fresh = tail
    .get(marketKey)
    ?.filter((row) => row.observed_at <= until && row.series === (series ?? row.series));
  for (const [name, rows] of Map.groupBy(fresh ?? [], (row) => row.series))
    parts.push(partOf(rows, SERIES.indexOf(name), wanted));
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

/** Stored observations of one market, one place each: the parts one after the other. */
interface Places {
  observed_at: Float64Array;
  recorded_at: Float64Array;
  series: Uint8Array;
  columns: Float64Array[];
}

function merge(parts: readonly Part[], span: PriceSpan, wanted: readonly PriceColumn[]): PriceColumns {
  const places = joinParts(parts, wanted.length);
  const kept = keepNewestRevision(places, inTimeOrder(places, span));
  const begins = kept.findIndex((place) => (places.observed_at[place] as number) >= span.from);
  const earlier = begins < 0 ? kept.length : begins;
  const carried = span.carry ? inForce(places, kept.slice(0, earlier), wanted.indexOf('last')) : [];
  const rows = [...carried, ...kept.slice(earlier)];
  const columns: PriceColumns = {
    observed_at: pick(places.observed_at, rows),
    series: Uint8Array.from(pick(places.series, rows)),
  };
  for (const [c, column] of wanted.entries()) columns[column] = pick(places.columns[c] ?? [], rows);
  return columns;
}

function pick(column: ArrayLike<number>, places: readonly number[]): Float64Array {
  const picked = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) picked[i] = column[places[i] as number] as number;
  return picked;
}

function joinParts(parts: readonly Part[], width: number): Places {
  const seriesOf = (part: Part) => new Uint8Array(part.observed_at.length).fill(part.series);
  const [first] = parts;
  if (first && parts.length === 1) return { ...first, series: seriesOf(first) };
  const join = (columnOf: (part: Part) => Float64Array) => {
    const joined = new Float64Array(parts.reduce((points, part) => points + part.observed_at.length, 0));
    let at = 0;
    for (const part of parts) {
      joined.set(columnOf(part), at);
      at += part.observed_at.length;
    }
    return joined;
  };
  return {
    observed_at: join((part) => part.observed_at),
    recorded_at: join((part) => part.recorded_at),
    series: Uint8Array.from(join((part) => Float64Array.from(seriesOf(part)))),
    columns: Array.from({ length: width }, (_none, c) => join((part) => part.columns[c] as Float64Array)),
  };
}

// Most parts are written in time order and follow each other: then there is nothing to sort.
function inTimeOrder({ observed_at, recorded_at, series }: Places, span: PriceSpan): number[] {
  const knownAt = span.knownAt ?? Number.POSITIVE_INFINITY;
  const after = (a: number, b: number) =>
    (observed_at[a] as number) - (observed_at[b] as number) ||
    (series[a] as number) - (series[b] as number) ||
    (recorded_at[a] as number) - (recorded_at[b] as number);
  const order: number[] = [];
  let sorted = true;
  for (let place = 0; place < observed_at.length; place++) {
    if ((observed_at[place] as number) > span.until || (recorded_at[place] as number) > knownAt) continue;
    sorted &&= order.length === 0 || after(order[order.length - 1] as number, place) <= 0;
    order.push(place);
  }
  return sorted ? order : order.sort(after);
}

// Of each series the last place, and the last that has a trade: a trade stands until the next.
function inForce({ series, columns }: Places, before: readonly number[], tradeColumn: number): number[] {
  const newest = new Map<number, number>();
  const traded = new Map<number, number>();
  for (const [i, place] of before.entries()) {
    newest.set(series[place] as number, i);
    if (!Number.isNaN(columns[tradeColumn]?.[place] ?? Number.NaN)) traded.set(series[place] as number, i);
  }
  const rows = [...new Set([...newest.values(), ...traded.values()])].sort((a, b) => a - b);
  return rows.map((i) => before[i] as number);
}

function keepNewestRevision({ observed_at, series }: Places, order: readonly number[]): number[] {
  return order.filter((place, i) => {
    const next = order[i + 1];
    return next === undefined || observed_at[next] !== observed_at[place] || series[next] !== series[place];
  });
}
