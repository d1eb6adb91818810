/**
 * The store keeps everything the product knows in one SQLite file: catalog, prices, definitions, prints, runs.
 * It promises that each read sees one snapshot, that a write is atomic, and that prints are never changed. It knows
 * how data is stored, not how numbers are calculated. All SQL is in this folder.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { ForemarkError } from '../model/errors.ts';
import { foldText } from './fold-text.ts';
import { migrate } from './migrate.ts';
import { type Reader, Session, type Writer } from './session.ts';
import { isBusy, storeError } from './store-errors.ts';

export type { ClockedKind, Reader, RowKind, Value, Values, Writer } from './session.ts';

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
  /** How large the write-ahead log may become before a write copies it into the file; 8 MiB by default. */
  log_mebibytes?: number;
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
      const result = begin === 'BEGIN' ? session.keeping(work) : session.counted(work);
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

const PAGE_BYTES = 8192;

/** An empty in-memory store: copying it takes a tenth of the time of creating the schema. */
let emptyInMemory: Buffer | undefined;

function openDatabase(path: string, options: OpenOptions): Database.Database {
  const { readonly = false, wait_ms = 10_000, log_mebibytes = 8 } = options;
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
      database.pragma(`page_size = ${PAGE_BYTES}`);
      beginLog(database, wait_ms);
      database.pragma('synchronous = FULL');
      database.pragma(`journal_size_limit = ${LOG_BYTES}`);
      database.pragma(`wal_autocheckpoint = ${(log_mebibytes * 2 ** 20) / PAGE_BYTES}`);
    }
    database.pragma('foreign_keys = ON');
    setCache(database, 64);
    // Triggers fold what the search of filings finds.
    database.function('folded', { deterministic: true }, (text) =>
      text === null ? null : foldText(String(text)),
    );
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
