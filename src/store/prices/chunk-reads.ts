import { type PriceColumn, SERIES, type Series } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../store.ts';
import { instantAt, readColumn, readInstants } from './price-codec.ts';
import { lastKnownPlace, type Part, type PriceSpan } from './price-span.ts';

/** The row of a chunk, with the columns that were read. */
export type ChunkRow = { first_at: Instant; points: number; observed: Buffer; recorded: Buffer } & Record<
  PriceColumn,
  Buffer | null
>;

/** A chunk without its data. */
interface Head {
  chunk_id: number;
  series: Series;
  first_at: Instant;
  last_at: Instant;
  /** Whether it has the column that is carried: looked up where it matters. */
  carries?: boolean;
}

/** Points of chunks that may still be kept. */
export interface Room {
  points: number;
}

/** Reads of some columns of the chunks: while time goes on, each is read once, as long as there is room. */
export class ChunkReads {
  readonly #columns: readonly PriceColumn[];
  readonly #sql: string;
  readonly #heads = new Map<number, Head[]>();
  readonly #kept = new Map<number, Part>();
  /** Chunks of the market that was asked for last, for which there was no room. */
  #passing = new Map<number, Part>();
  readonly #room: Room;

  constructor(columns: readonly PriceColumn[], room: Room) {
    this.#columns = columns;
    this.#room = room;
    this.#sql = `SELECT first_at, points, observed, recorded, ${columns.join(', ')} FROM price_chunks
      WHERE chunk_id = +?`;
  }

  /**
   * The chunks of a market that reach into a span, and of each series those of what it carries.
   *
   * @param fresh what is known of the market beside its chunks: it may revise what they say
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
   * The instant from which on the chunks of a series are wanted for what was in force when a span began: its last
   * observation known by then, and the last with the column that is carried.
   *
   * @param begun before the span, at least one
   */
  #carriedSince(
    reader: Reader,
    begun: readonly Head[],
    span: PriceSpan & { carry: PriceColumn },
    fresh: readonly Part[],
  ): Instant {
    const latestFirst = begun.toSorted((a, b) => b.first_at - a.first_at);
    const place = this.#columns.indexOf(span.carry);
    const carries = (head: Head) => place >= 0 && hasColumn(reader, head, span.carry);
    const reaches = [...begun, ...fresh.map(reachOf)];
    // Only what no other part overlaps tells what was in force: the rest may be revised there.
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

/** From when to when observations lie, both included. */
type Reach = Pick<Head, 'first_at' | 'last_at'>;

function reachOf({ observed, points }: Part): Reach {
  return { first_at: instantAt(observed, 0), last_at: instantAt(observed, points - 1) };
}

/** The instant from which on other parts of its series overlap a chunk; later than all where none does. */
function revisedFrom(head: Head, reaches: readonly Reach[]): Instant {
  let from = Number.POSITIVE_INFINITY;
  for (const other of reaches)
    if (other !== head && other.first_at <= head.last_at && other.last_at >= head.first_at)
      from = Math.min(from, other.first_at);
  return from;
}

// Out of the index alone: the rows are large.
const SELECT_HEADS = `SELECT chunk_id, series, first_at, last_at FROM price_chunks
  WHERE market_key = +? ORDER BY chunk_id`;

function hasColumn(reader: Reader, head: Head, column: PriceColumn): boolean {
  const sql = `SELECT 1 FROM price_chunks WHERE chunk_id = +? AND ${column} IS NOT NULL`;
  head.carries ??= reader.get(sql, head.chunk_id) !== undefined;
  return head.carries;
}

/** What the row of a chunk holds. */
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
