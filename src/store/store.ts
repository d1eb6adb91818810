/**
 * The store keeps everything the product knows in one SQLite file: catalog, prices, definitions, prints, runs.
 * It promises that each read sees one snapshot, that a write is atomic, and that prints are never changed. It knows
 * how data is stored, not how numbers are calculated. All SQL is in this folder.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { ForemarkError } from '../model/errors.ts';
import { migrate } from './migrate.ts';
import { isBusy, storeError } from './store-errors.ts';

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

/** An open store. */
export interface Store {
  /** Runs reads against one snapshot, which does not see concurrent writes. */
  read<T>(work: (reader: Reader) => T): T;
  /** Runs reads and writes as one transaction, which is rolled back when `work` throws. */
  write<T>(work: (writer: Writer) => T): T;
  /**
   * The same store for writes that can be repeated: they do not wait for the disk, so a power cut may lose the last
   * ones. The next write that does wait makes them durable as well.
   */
  later(): Store;
  /** Runs reads against one snapshot, on its own connection, for as long as `work` takes; it does not block writes. */
  snapshot<T>(work: (reader: Reader) => Promise<T>): Promise<T>;
  /** Sets the size of SQLite's page cache; 64 MiB by default. */
  cache(mebibytes: number): void;
  close(): void;
}

export interface OpenOptions {
  readonly?: boolean;
  /** How long a write waits for that of another process. */
  wait_ms?: number;
}

/**
 * Opens the store file. A missing one is created, an old schema migrated, unless it is opened read-only.
 *
 * @param path a file, or `:memory:`
 * @throws ForemarkError store_unusable when the file is not a store, is newer than this program, or cannot be read
 */
export function openStore(path: string, options: OpenOptions = {}): Store {
  const database = openDatabase(path, options);
  const session = new Session(database, path);
  let waitsForDisk = true;
  const inTransaction = <T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: (session: Session) => T): T => {
    if (database.inTransaction) return work(session);
    try {
      database.exec(begin);
      const result = begin === 'BEGIN' ? session.keeping(work) : work(session);
      database.exec('COMMIT');
      return result;
    } catch (thrown) {
      // After a full disk or an I/O error SQLite has already rolled back.
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
    async snapshot(work) {
      const own = openDatabase(path, { readonly: true });
      try {
        own.exec('BEGIN');
        return await work(new Session(own, path, new Map()));
      } catch (thrown) {
        throw storeError(path, thrown);
      } finally {
        own.close();
      }
    },
    cache: (mebibytes) => setCache(database, mebibytes),
    close: () => database.close(),
  };
  return store;
}

function setCache(database: Database.Database, mebibytes: number): void {
  database.pragma(`cache_size = ${-1024 * mebibytes}`);
}

/** An empty in-memory store: copying it takes a tenth of the time of creating the schema. */
let emptyInMemory: Buffer | undefined;

function openDatabase(path: string, { readonly = false, wait_ms = 10_000 }: OpenOptions): Database.Database {
  let database: Database.Database | undefined;
  const isInMemory = path === ':memory:';
  if (!isInMemory && existsSync(path) && statSync(path).isDirectory())
    throw new ForemarkError(
      'store_unusable',
      `store ${path}: it is a folder; name a file, which may be in it`,
    );
  if (!isInMemory && !existsSync(readonly ? path : dirname(path)))
    throw new ForemarkError(
      'store_unusable',
      readonly
        ? `store ${path}: the file does not exist; the first run creates it`
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
    // Otherwise SQLite writes larger statement journals to a file. Migrations do use files, for their sorts.
    if (!readonly) database.pragma('temp_store = MEMORY');
    if (isInMemory) emptyInMemory ??= database.serialize();
    return database;
  } catch (thrown) {
    database?.close();
    throw storeError(path, thrown);
  }
}

/**
 * A long write or a long-lived reader can make the write-ahead log larger than this; SQLite truncates it to this size
 * when it restarts the log. While a server has the store open the log is never removed. The limit exceeds what a usual
 * run writes, because the first write after a truncation pays for it and for growing the log again.
 */
const LOG_BYTES = 128 * 2 ** 20;

/** Milliseconds between two retries. */
const PAUSE_MS = 5;

/**
 * Switches the file to a write-ahead log. When two processes open a new file at the same time, SQLite refuses one at
 * once instead of letting it wait, to avoid a deadlock, so it is retried here.
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

/** Size limit of the cache of {@link Reader.untilWritten}, in values. */
const MOST_UNTIL_WRITTEN = 1_000;

/** A connection, which prepares each statement once. */
class Session implements Writer {
  readonly #database: Database.Database;
  readonly #path: string;
  readonly #statements = new Map<string, Database.Statement>();
  /** Statements that return only their first column. */
  readonly #plucks = new Map<string, Database.Statement>();
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
