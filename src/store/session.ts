import type Database from 'better-sqlite3';
import { getOrInsert, memoized } from '../model/memoized.ts';
import { storeError } from './store-errors.ts';

/** A value that can be bound to a placeholder. */
export type Value = string | number | bigint | Buffer | Uint8Array | null;
export type Values = Value[] | [Record<string, Value>];

/**
 * Kinds of rows whose changes triggers record, so that cached answers can be invalidated: `market`, a market with its
 * mark; `near`, what the lists of other records show of a market; `status`, a market's status; `lists`, the neighbours
 * of a record; `text`, a text with its market's status; `article`; `filing`; `terms`, the filings that hold a market's
 * contract terms (without an id: those of any market).
 */
export type RowKind =
  | 'market'
  | 'near'
  | 'status'
  | 'lists'
  | 'text'
  | 'article'
  | 'filing'
  | 'terms'
  | ClockedKind;

/**
 * Kinds that also change as time passes, which no trigger can record: the US Eastern day, whether an index includes a
 * market, anything else.
 */
export type ClockedKind = 'day' | 'membership' | 'clock';

/**
 * Reads from one snapshot of the store. Some statements have a plus before a placeholder (`= +?`): it hides the value
 * from SQLite's planner, which would otherwise plan again for each value, at up to eight times the cost of the look-up.
 */
export interface Reader {
  all<Row>(sql: string, ...values: Values): Row[];
  get<Row>(sql: string, ...values: Values): Row | undefined;
  iterate<Row>(sql: string, ...values: Values): IterableIterator<Row>;
  /** The first column of the first row; undefined where there is no row, or the value is null. */
  value<T extends Value>(sql: string, ...values: Values): T | undefined;
  /** The first column of all rows. */
  column<T extends Value>(sql: string, ...values: Values): T[];
  /**
   * Caches the result of `work` under a name until the snapshot ends, for values that many answers of one snapshot
   * need. Nothing is cached inside a write transaction.
   */
  once<T>(name: string, work: () => T): T;
  /** The same, but cached across snapshots until anything is written: for small values that are slow to calculate. */
  untilWritten<T>(name: string, work: () => T): T;
  /**
   * Declares that the result of `work` depends only on one row of a kind, so that an answer made of such reads can be
   * cached until triggers record a change of that row or, for a {@link ClockedKind}, until time passes. `work` must
   * read nothing that does not belong to the row.
   */
  reading<T>(kind: RowKind, id: string | number, work: () => T): T;
}

/** Reads and writes inside one transaction. */
export interface Writer extends Reader {
  /** @returns the number of changed rows, and the key of the last inserted row */
  run(sql: string, ...values: Values): { changes: number; key: number };
  /**
   * Runs a part of the transaction in a savepoint: when `work` throws, only its own writes are rolled back.
   *
   * @throws what `work` throws; ForemarkError store_unusable when the store itself failed, which rolls back everything
   */
  part<T>(work: () => T): T;
}

/** Size limit of the cache of {@link Reader.untilWritten}, in values. */
const MOST_UNTIL_WRITTEN = 1_000;

const CHANGES = 'SELECT total_changes()';

/** A connection, which prepares each statement once. */
export class Session implements Writer {
  readonly #database: Database.Database;
  readonly #path: string;
  readonly #prepare = memoized((sql: string) => this.#database.prepare(sql));
  /** Statements that return only their first column. */
  readonly #pluck = memoized((sql: string) => this.#database.prepare(sql).pluck());
  /** Values cached for the current snapshot; undefined inside a write transaction. */
  #kept: Map<string, unknown> | undefined;
  /** Values cached since the last write. */
  #unwritten: { version: string; values: Map<string, unknown> } = { version: '', values: new Map() };

  constructor(database: Database.Database, path: string, kept?: Map<string, unknown>) {
    this.#database = database;
    this.#path = path;
    this.#kept = kept;
  }

  /** Runs `work` with a new cache for its snapshot. */
  keeping<T>(work: (session: Session) => T): T {
    this.#kept = new Map();
    try {
      return work(this);
    } finally {
      this.#kept = undefined;
    }
  }

  /** Runs `work`; if it writes, counts the transaction in the header of the file (see page-checksums.ts). */
  counted<T>(work: (session: Session) => T): T {
    if (this.#path === ':memory:') return work(this);
    const before = this.value(CHANGES);
    const result = work(this);
    if (this.value(CHANGES) !== before) {
      const count = this.value<number>('SELECT application_id FROM pragma_application_id') ?? 0;
      this.#database.exec(`PRAGMA application_id = ${(count + 1) % 2 ** 31}`);
    }
    return result;
  }

  all<Row>(sql: string, ...values: Values): Row[] {
    return this.#prepare(sql).all(...values) as Row[];
  }

  get<Row>(sql: string, ...values: Values): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  iterate<Row>(sql: string, ...values: Values): IterableIterator<Row> {
    return this.#prepare(sql).iterate(...values) as IterableIterator<Row>;
  }

  value<T extends Value>(sql: string, ...values: Values): T | undefined {
    return (this.#pluck(sql).get(...values) as T | null | undefined) ?? undefined;
  }

  column<T extends Value>(sql: string, ...values: Values): T[] {
    return this.#pluck(sql).all(...values) as T[];
  }

  once<T>(name: string, work: () => T): T {
    return this.#kept ? (getOrInsert(this.#kept, name, work) as T) : work();
  }

  untilWritten<T>(name: string, work: () => T): T {
    if (!this.#kept) return work();
    const values = this.once('until written', () => this.#valuesOfVersion());
    if (values.size >= MOST_UNTIL_WRITTEN && !values.has(name)) values.clear();
    return getOrInsert(values, name, work) as T;
  }

  reading<T>(_kind: RowKind, _id: string | number, work: () => T): T {
    return work();
  }

  #valuesOfVersion(): Map<string, unknown> {
    // The first changes with writes of other connections, the second with those of this one.
    const sql = `SELECT data_version || ' ' || total_changes() AS version FROM pragma_data_version`;
    const version = this.value<string>(sql) as string;
    if (this.#unwritten.version !== version) this.#unwritten = { version, values: new Map() };
    return this.#unwritten.values;
  }

  run(sql: string, ...values: Values): { changes: number; key: number } {
    const { changes, lastInsertRowid } = this.#prepare(sql).run(...values);
    return { changes, key: Number(lastInsertRowid) };
  }

  part<T>(work: () => T): T {
    this.#database.exec('SAVEPOINT part');
    try {
      const result = work();
      this.#database.exec('RELEASE part');
      return result;
    } catch (thrown) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK TO part; RELEASE part');
      throw storeError(this.#path, thrown);
    }
  }
}
