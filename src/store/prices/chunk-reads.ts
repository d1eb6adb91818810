import { type PriceColumn, SERIES, type Series } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../store.ts';
import { instantAt, readColumn, readInstants } from './price-codec.ts';
import { lastKnownPlace, type Part, type PriceSpan } from './price-span.ts';

/** The row of a chunk, with the selected columns. */
export type ChunkRow = { first_at: Instant; points: number; observed: Buffer; recorded: Buffer } & Record<
  PriceColumn,
  Buffer | null
>;

interface Head {
  chunk_id: number;
  series: Series;
  first_at: Instant;
  last_at: Instant;
  /** Whether it has the column of {@link PriceSpan.carry}; looked up when first needed. */
  carries?: boolean;
}

/** Remaining size of a cache of chunks, in points. */
export interface Room {
  points: number;
}

/**
 * Reads some columns of chunks, and caches them as long as there is room. A chunk that a market's span does not need is
 * dropped, so a caller that moves forward in time reads each chunk once.
 */
export class ChunkReads {
  readonly #columns: readonly PriceColumn[];
  readonly #sql: string;
  readonly #heads = new Map<number, Head[]>();
  readonly #kept = new Map<number, Part>();
  /** Chunks of the last market for which there was no room in the cache. */
  #passing = new Map<number, Part>();
  readonly #room: Room;

  constructor(columns: readonly PriceColumn[], room: Room) {
    this.#columns = columns;
    this.#room = room;
    this.#sql = `SELECT first_at, points, observed, recorded, ${columns.join(', ')} FROM price_chunks
      WHERE chunk_id = +?`;
  }

  /**
   * The chunks of a market that overlap a span, and those with the observations that are carried into it.
   *
   * @param fresh observations of the market that are not in chunks, which may revise those that are
   */
  select(reader: Reader, marketKey: number, span: PriceSpan, fresh: readonly Part[]): Part[] {
    const { series, from, until, carry } = span;
    const heads = this.#headsOf(reader, marketKey).filter((head) => head.series === (series ?? head.series));
    this.#passing = new Map();
    const since = new Map<Series, Instant>();
    if (carry !== undefined)
      for (const [name, begun] of Map.groupBy(
        heads.filter((head) => head.first_at < from),
        (head) => head.series,
      )) {
        const beside = fresh.filter((part) => SERIES[part.series] === name);
        since.set(name, this.#carriedSince(reader, begun, { ...span, carry }, beside));
      }
    const wanted = new Set(
      heads.filter((head) => head.first_at <= until && head.last_at >= (since.get(head.series) ?? from)),
    );
    for (const head of heads) if (!wanted.has(head)) this.#drop(head);
    return [...wanted].map((head) => this.#read(reader, head));
  }

  /**
   * The instant from which the chunks of a series are needed to find the observations in force when a span begins: the
   * last one, and the last with the carried column.
   *
   * @param begun chunks that begin before the span, at least one
   */
  #carriedSince(
    reader: Reader,
    begun: readonly Head[],
    span: PriceSpan & { carry: PriceColumn },
    fresh: readonly Part[],
  ): Instant {
    const place = this.#columns.indexOf(span.carry);
    // Observations newer than all chunks may decide this, as they do in most runs of a service: then no chunk is read.
    const isAfter = (part: Part) => begun.every((head) => head.last_at < reachOf(part).first_at);
    const later = fresh.find((part) => isAfter(part) && lastKnownPlace(part, span, place) >= 0);
    if (later) return reachOf(later).first_at;
    const latestFirst = begun.toSorted((a, b) => b.first_at - a.first_at);
    // A chunk that overlaps the span is read anyway, which shows whether it has the column.
    const carries = (head: Head) =>
      place >= 0 && (head.last_at >= span.from || hasColumn(reader, head, span.carry));
    const reaches = [...begun, ...fresh.map(reachOf)];
    // Only the time before any overlap with other parts is conclusive: afterwards these may hold revisions.
    const alone = (head: Head) => ({ ...span, from: Math.min(span.from, revisedFrom(head, reaches)) });
    const tells = (head: Head, column?: number) =>
      lastKnownPlace(this.#read(reader, head), alone(head), column) >= 0;
    const valued = latestFirst.find((head) => carries(head) && tells(head, place));
    if (valued) return valued.first_at;
    const stands = latestFirst.find((head) => tells(head));
    const revised = begun.filter((head) => revisedFrom(head, reaches) <= head.last_at);
    return Math.min(stands?.first_at ?? span.from, ...revised.map((head) => head.first_at));
  }

  #headsOf(reader: Reader, marketKey: number): Head[] {
    const known = this.#heads.get(marketKey);
    if (known) return known;
    const heads = reader.all<Head>(SELECT_HEADS, marketKey);
    this.#heads.set(marketKey, heads);
    return heads;
  }

  #read(reader: Reader, { chunk_id, series }: Head): Part {
    const read = this.#kept.get(chunk_id) ?? this.#passing.get(chunk_id);
    if (read) return read;
    const part = partOf(reader.get(this.#sql, chunk_id) as ChunkRow, series, this.#columns);
    if (part.points <= this.#room.points) {
      this.#room.points -= part.points;
      this.#kept.set(chunk_id, part);
    } else this.#passing.set(chunk_id, part);
    return part;
  }

  #drop({ chunk_id }: Head): void {
    this.#room.points += this.#kept.get(chunk_id)?.points ?? 0;
    this.#kept.delete(chunk_id);
  }
}

/** The time span of some observations, both ends inclusive. */
type Reach = Pick<Head, 'first_at' | 'last_at'>;

function reachOf({ observed, points }: Part): Reach {
  return { first_at: instantAt(observed, 0), last_at: instantAt(observed, points - 1) };
}

/** The instant from which other parts of its series overlap a chunk; infinity if none does. */
function revisedFrom(head: Head, reaches: readonly Reach[]): Instant {
  let from = Number.POSITIVE_INFINITY;
  for (const other of reaches)
    if (other !== head && other.first_at <= head.last_at && other.last_at >= head.first_at)
      from = Math.min(from, other.first_at);
  return from;
}

// Covered by an index, since the rows are large.
const SELECT_HEADS = `SELECT chunk_id, series, first_at, last_at FROM price_chunks
  WHERE market_key = +? ORDER BY chunk_id`;

function hasColumn(reader: Reader, head: Head, column: PriceColumn): boolean {
  const sql = `SELECT 1 FROM price_chunks WHERE chunk_id = +? AND ${column} IS NOT NULL`;
  head.carries ??= reader.get(sql, head.chunk_id) !== undefined;
  return head.carries;
}

/** The observations in the row of a chunk. */
export function partOf(row: ChunkRow, series: Series, columns: readonly PriceColumn[]): Part {
  const { points, first_at } = row;
  return {
    series: SERIES.indexOf(series),
    points,
    observed: readInstants(row.observed, points, first_at),
    recorded: readInstants(row.recorded, points, first_at),
    columns: columns.map((column) => readColumn(row[column], points)),
  };
}
