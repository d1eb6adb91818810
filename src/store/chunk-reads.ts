import { type PriceColumn, SERIES, type Series } from '../model/observation.ts';
import type { Instant } from '../model/units.ts';
import { readColumn, readInstants, type StoredColumn, type StoredInstants } from './price-codec.ts';
import type { Reader } from './store.ts';

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
  points: number;
  /** 1 where it knows of a trade. */
  traded: number;
}

interface Stretch {
  series?: Series;
  from: Instant;
  until: Instant;
}

/**
 * Reads of some columns of the chunks. One that is kept through a run which walks through time reads each chunk
 * once, as long as there is room; no prices may be written meanwhile.
 */
export class ChunkReads {
  readonly columns: readonly PriceColumn[];
  readonly #sql: string;
  readonly #heads = new Map<number, Head[]>();
  readonly #kept = new Map<number, Part>();
  #room: number;

  /** @param room points that are kept at most; none when left out */
  constructor(columns: readonly PriceColumn[], room = 0) {
    this.columns = columns;
    this.#room = room;
    this.#sql = `SELECT first_at, points, observed, recorded, ${columns.join(', ')} FROM price_chunks
      WHERE chunk_id = +?`;
  }

  /** The chunks of a market, of one series or all, that hold what was known from `from` to `until`. */
  select(reader: Reader, marketKey: number, stretch: Stretch): Part[] {
    const heads = this.#headsOf(reader, marketKey);
    const wanted = new Set(reaching(heads, stretch));
    for (const head of heads) if (!wanted.has(head)) this.#drop(head);
    return [...wanted].map((head) => this.#read(reader, head));
  }

  #headsOf(reader: Reader, marketKey: number): Head[] {
    const known = this.#heads.get(marketKey);
    if (known) return known;
    const sql = `SELECT chunk_id, series, first_at, last_at, points, last IS NOT NULL AS traded
      FROM price_chunks WHERE market_key = +? ORDER BY chunk_id`;
    const heads = reader.all<Head>(sql, marketKey);
    this.#heads.set(marketKey, heads);
    return heads;
  }

  #read(reader: Reader, { chunk_id, series, points }: Head): Part {
    const kept = this.#kept.get(chunk_id);
    if (kept) return kept;
    const part = partOf(reader.get(this.#sql, chunk_id) as ChunkRow, series, this.columns);
    if (points <= this.#room) {
      this.#room -= points;
      this.#kept.set(chunk_id, part);
    }
    return part;
  }

  #drop({ chunk_id, points }: Head): void {
    if (this.#kept.delete(chunk_id)) this.#room += points;
  }
}

/**
 * The chunks that reach into a stretch, and of each series the one before it and the last before it that has a
 * trade: what stands at their ends was in force when the stretch began.
 */
function reaching(heads: readonly Head[], { series, from, until }: Stretch): Head[] {
  const before = new Map<Series, { first: Instant; traded: Instant }>();
  for (const head of heads) {
    if (head.first_at >= from) continue;
    const { first, traded } = before.get(head.series) ?? { first: NEVER, traded: NEVER };
    const ended = head.traded === 1 && head.last_at < from;
    before.set(head.series, {
      first: Math.max(first, head.first_at),
      traded: ended ? Math.max(traded, head.first_at) : traded,
    });
  }
  return heads.filter((head) => {
    const { first, traded } = before.get(head.series) ?? { first: NEVER, traded: NEVER };
    const since = traded === NEVER ? first : Math.min(first, traded);
    return (series ?? head.series) === head.series && head.first_at <= until && head.last_at >= since;
  });
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
