import { type PriceColumn, SERIES, type Series } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../store.ts';
import { readColumn, readInstants, type StoredColumn, type StoredInstants } from './price-codec.ts';

/** Observations of a stretch of one series as they are stored: in time order, revisions side by side. */
export interface Part {
  /** Its place in SERIES. */
  series: number;
  points: number;
  observed: StoredInstants;
  recorded: StoredInstants;
  columns: StoredColumn[];
}

/** The row of a chunk, with the columns that were read. */
export type ChunkRow = { first_at: Instant; points: number; observed: Buffer; recorded: Buffer } & Record<
  PriceColumn,
  Buffer | null
>;

/** A chunk without what it holds. */
interface Head {
  chunk_id: number;
  series: Series;
  first_at: Instant;
  last_at: Instant;
  /** Whether it knows of a trade: looked up where it matters. */
  traded?: boolean;
}

interface Stretch {
  series?: Series;
  from: Instant;
  until: Instant;
}

/** Reads of some columns of the chunks: while time goes on, each is read once, as long as there is room. */
export class ChunkReads {
  readonly #columns: readonly PriceColumn[];
  readonly #sql: string;
  readonly #heads = new Map<number, Head[]>();
  readonly #kept = new Map<number, Part>();
  #room: number;

  /** @param room points that are kept at most; none when left out */
  constructor(columns: readonly PriceColumn[], room = 0) {
    this.#columns = columns;
    this.#room = room;
    this.#sql = `SELECT first_at, points, observed, recorded, ${columns.join(', ')} FROM price_chunks
      WHERE chunk_id = +?`;
  }

  /** The chunks of a market, of one series or all, that hold what was known from `from` to `until`. */
  select(reader: Reader, marketKey: number, stretch: Stretch): Part[] {
    const heads = this.#headsOf(reader, marketKey);
    const wanted = new Set(reaching(heads, stretch, (head) => isTraded(reader, head)));
    for (const head of heads) if (!wanted.has(head)) this.#drop(head);
    return [...wanted].map((head) => this.#read(reader, head));
  }

  #headsOf(reader: Reader, marketKey: number): Head[] {
    const known = this.#heads.get(marketKey);
    if (known) return known;
    const heads = reader.all<Head>(SELECT_HEADS, marketKey);
    this.#heads.set(marketKey, heads);
    return heads;
  }

  #read(reader: Reader, { chunk_id, series }: Head): Part {
    const kept = this.#kept.get(chunk_id);
    if (kept) return kept;
    const part = partOf(reader.get(this.#sql, chunk_id) as ChunkRow, series, this.#columns);
    if (part.points <= this.#room) {
      this.#room -= part.points;
      this.#kept.set(chunk_id, part);
    }
    return part;
  }

  #drop({ chunk_id }: Head): void {
    this.#room += this.#kept.get(chunk_id)?.points ?? 0;
    this.#kept.delete(chunk_id);
  }
}

// Out of the index alone: the rows are large.
const SELECT_HEADS = `SELECT chunk_id, series, first_at, last_at FROM price_chunks
  WHERE market_key = +? ORDER BY chunk_id`;

function isTraded(reader: Reader, head: Head): boolean {
  const sql = 'SELECT 1 FROM price_chunks WHERE chunk_id = +? AND last IS NOT NULL';
  head.traded ??= reader.get(sql, head.chunk_id) !== undefined;
  return head.traded;
}

/**
 * The chunks that reach into a stretch, and of each series the one before it and the last before it that has a
 * trade: what stands at their ends was in force when the stretch began.
 */
function reaching(
  heads: readonly Head[],
  { series, from, until }: Stretch,
  hasTrade: (head: Head) => boolean,
): Head[] {
  const since = new Map<Series, Instant>();
  const before = heads.filter((head) => head.first_at < from).sort((a, b) => b.first_at - a.first_at);
  for (const [name, latestFirst] of Map.groupBy(before, (head) => head.series)) {
    const traded = latestFirst.find((head) => head.last_at < from && hasTrade(head));
    since.set(name, (traded ?? latestFirst[0])?.first_at ?? NEVER);
  }
  return heads.filter(
    (head) =>
      (series ?? head.series) === head.series &&
      head.first_at <= until &&
      head.last_at >= (since.get(head.series) ?? NEVER),
  );
}

const NEVER: Instant = Number.NEGATIVE_INFINITY;

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
