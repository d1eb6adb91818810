/**
 * The store keeps all that the product knows in one SQLite file: catalog, prices, definitions, prints, runs.
 * It promises that a read sees one instant, that a write is whole or absent, and that prints are never
 * changed. It knows where bytes lie and nothing of how numbers are worked out. SQL stands nowhere else.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { ForemarkError } from '../model/errors.ts';
import { migrate } from './migrate.ts';
import { isBusy, storeError } from './store-errors.ts';

/** What can be bound to a placeholder. */
export type Value = string | number | bigint | Buffer | Uint8Array | null;
type Values = Value[] | [Record<string, Value>];

/**
 * Rows that are told to have been touched: a market with its mark, what is shown of one near others, its status, the
 * lists of a record's neighbours, a text with its market's status, an article, a filing, which filings the terms of a
 * market's contracts are in (without an id, of any).
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
 * What differs also as time passes, so that no table tells of it: the US Eastern day, whether an index includes a
 * market, anything else.
 */
export type ClockedKind = 'day' | 'membership' | 'clock';

/**
 * Reads of one snapshot of the store. Where a statement has a plus before a placeholder (`= +?`), it keeps the value from
 * SQLite's planner, which would plan anew for each value: that takes up to eight times as long as a look-up.
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
   * Caches what `work` gives under a name until the snapshot ends, for values that many answers of one
   * snapshot need. Inside a write transaction nothing is cached.
   */
  once<T>(name: string, work: () => T): T;
  /**
   * The same, cached across snapshots until anything is written: for small values that take long to work out.
   */
  untilWritten<T>(name: string, work: () => T): T;
  /**
   * Reads what changes only when a row of a kind is touched, which triggers note, or, for a kind that goes by the
   * clock, as time passes. All that `work` reads must belong to that row.
   */
  reading<T>(kind: RowKind, id: string | number, work: () => T): T;
}

/** Reads and writes inside one transaction. */
export interface Writer extends Reader {
  /** @returns rows changed, and the key of the row that was inserted last */
  run(sql: string, ...values: Values): { changes: number; key: number };
  /**
   * Runs a part of the transaction: when `work` throws, what it wrote is undone and the rest stands.
   *
   * @throws what `work` throws; ForemarkError store_unusable when the store itself failed: nothing stands then
   */
  part<T>(work: () => T): T;
}

/** An open store. */
export interface Store {
  /** Runs reads against one snapshot; writers go on meanwhile and are not seen. */
  read<T>(work: (reader: Reader) => T): T;
  /** Runs reads and writes as one transaction: all of it is kept, or none when `work` throws. */
  write<T>(work: (writer: Writer) => T): T;
  /**
   * The same store for writes that can be made again: none waits for the disk, so that a power cut may take the last ones.
   * They are on it with the next write that does wait.
   */
  later(): Store;
  /** Opens a snapshot that stands until it is ended, on a connection of its own; writes may go on meanwhile. */
  snapshot(): { reader: Reader; end(): void };
  /** Keeps no more of the file in memory than so many MiB from now on; 64 at first. */
  cache(mebibytes: number): void;
  close(): void;
}

export interface OpenOptions {
  readonly?: boolean;
  /** How long a write waits for another program's to end. */
  wait_ms?: number;
}

/**
 * Opens the store file, making it when missing and bringing its schema up to date.
 *
 * @param path a file, or `:memory:`
 * @throws ForemarkError store_unusable when the file is no store, is newer than this program, or cannot be read
 */
export function openStore(path: string, options: OpenOptions = {}): Store {
  const database = openDatabase(path, options);
  const session = new Session(database, path);
  let waitsForDisk = true;
  const inTransaction = <T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: (session: Session) => T): T => {
    if (database.inTransaction) return work(session);
    database.exec(begin);
    try {
      const result = begin === 'BEGIN' ? session.keeping(work) : work(session);
      database.exec('COMMIT');
      return result;
    } catch (thrown) {
      // SQLite has rolled back by itself after a full disk or an I/O error.
      if (database.inTransaction) database.exec('ROLLBACK');
      throw storeError(path, thrown);
    }
  };
  const write = <T>(work: (writer: Writer) => T, waits: boolean): T => {
    if (waits !== waitsForDisk && !database.inTransaction) {
      database.pragma(`synchronous = ${waits ? 'FULL' : 'NORMAL'}`);
      waitsForDisk = waits;
    }
    return inTransaction('BEGIN IMMEDIATE', work);
  };
  const store: Store = {
    read: (work) => inTransaction('BEGIN', work),
    write: (work) => write(work, true),
    later: () => ({ ...store, write: (work) => write(work, false) }),
    snapshot() {
      const own = openDatabase(path, { readonly: true });
      own.exec('BEGIN');
      return { reader: new Session(own, path, new Map()), end: () => own.close() };
    },
    cache: (mebibytes) => setCache(database, mebibytes),
    close: () => database.close(),
  };
  return store;
}

function setCache(database: Database.Database, mebibytes: number): void {
  database.pragma(`cache_size = ${-1024 * mebibytes}`);
}

/** The first store that was made in memory, while it was empty: to copy it takes a tenth of what its schema does. */
let emptyInMemory: Buffer | undefined;

function openDatabase(path: string, { readonly = false, wait_ms = 10_000 }: OpenOptions): Database.Database {
  let database: Database.Database | undefined;
  const isInMemory = path === ':memory:';
  if (!isInMemory && !existsSync(readonly ? path : dirname(path)))
    throw new ForemarkError(
      'store_unusable',
      readonly
        ? `store ${path}: the file does not exist; the first run makes it`
        : `store ${path}: its folder does not exist`,
    );
  try {
    const content = isInMemory ? (emptyInMemory ?? path) : path;
    database = new Database(content, { readonly, fileMustExist: readonly, timeout: wait_ms });
    if (!readonly) {
      database.pragma('page_size = 8192');
      beginLog(database, wait_ms);
      database.pragma('synchronous = FULL');
      database.pragma(`journal_size_limit = ${LOG_BYTES}`);
    }
    database.pragma('foreign_keys = ON');
    setCache(database, 64);
    migrate(database, readonly);
    // Else the pages that a statement sets aside until it has ended go through a file where they are more than a few.
    if (!readonly) database.pragma('temp_store = MEMORY');
    if (isInMemory) emptyInMemory ??= database.serialize();
    return database;
  } catch (thrown) {
    database?.close();
    throw storeError(path, thrown);
  }
}

/**
 * A long write, or a reader that stayed, can make the log grow beyond this; it is cut back to it when it begins anew.
 * While a server has the store open the log is never removed. It is more than a usual run writes, because the first
 * write after a cut pays for the cut and for making the log grow again.
 */
const LOG_BYTES = 128 * 2 ** 20;

/** Milliseconds between two tries. */
const PAUSE_MS = 5;

/**
 * Has changes of the file go into a log beside it. Where two programs open a new file, SQLite refuses the second at once
 * instead of letting it wait: each holds what the other waits for.
 */
function beginLog(database: Database.Database, waitMs: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let left = waitMs; ; left -= PAUSE_MS)
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (thrown) {
      if (left <= 0 || !isBusy(thrown)) throw thrown;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
}

/** Values that are cached at most until something is written. */
const MOST_UNTIL_WRITTEN = 1_000;

/** One connection's statements, each prepared once. */
class Session implements Writer {
  readonly #database: Database.Database;
  readonly #path: string;
  readonly #statements = new Map<string, Database.Statement>();
  /** Those of which the first column alone is wanted. */
  readonly #plucks = new Map<string, Database.Statement>();
  /** Values cached for the present snapshot. */
  #kept: Map<string, unknown> | undefined;
  /** Values cached since anything was last written. */
  #unwritten: { version: string; values: Map<string, unknown> } = { version: '', values: new Map() };

  constructor(database: Database.Database, path: string, kept?: Map<string, unknown>) {
    this.#database = database;
    this.#path = path;
    this.#kept = kept;
  }

  /** Does work in a snapshot of its own. */
  keeping<T>(work: (session: Session) => T): T {
    this.#kept = new Map();
    try {
      return work(this);
    } finally {
      this.#kept = undefined;
    }
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
    const kept = this.#kept;
    if (!kept) return work();
    const known = kept.get(name);
    if (known !== undefined || kept.has(name)) return known as T;
    const made = work();
    kept.set(name, made);
    return made;
  }

  untilWritten<T>(name: string, work: () => T): T {
    if (!this.#kept) return work();
    const values = this.once('until written', () => this.#valuesOfVersion());
    const known = values.get(name);
    if (known !== undefined) return known as T;
    const made = work();
    if (values.size >= MOST_UNTIL_WRITTEN) values.clear();
    values.set(name, made);
    return made;
  }

  reading<T>(_kind: RowKind, _id: string | number, work: () => T): T {
    return work();
  }

  #valuesOfVersion(): Map<string, unknown> {
    // What other connections wrote, and what this one did.
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

  #prepare(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #pluck(sql: string): Database.Statement {
    const statement = this.#plucks.get(sql) ?? this.#database.prepare(sql).pluck();
    this.#plucks.set(sql, statement);
    return statement;
  }
}
