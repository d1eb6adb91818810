import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { ForemarkError } from '../model/errors.ts';
import { isBusy, storeError, whyNotOpened } from './store-errors.ts';

// Keeps the connections referenced: the garbage collector would close them and release their locks.
const held = new Set<Database.Database>();

/**
 * Takes the lock that lets only one run at a time write to a store. The operating system releases it when the process
 * ends, so a killed run leaves no stale lock.
 *
 * @returns a function that releases the lock
 * @throws ForemarkError run_in_progress when another process holds it, store_unusable when its folder cannot be created
 *   or written, or its lock file is damaged
 */
export function takeRunLock(storePath: string): () => void {
  if (storePath === ':memory:') return () => {};
  let database: Database.Database;
  let opened = storePath;
  try {
    mkdirSync(dirname(storePath), { recursive: true });
    opened = `${storePath}.lock`;
    database = new Database(opened, { timeout: 0 });
  } catch (cause) {
    throw new ForemarkError('store_unusable', `store ${opened}: ${whyNotOpened()}`, { cause });
  }
  try {
    // Nothing is ever written, so that a run that frees space can take the lock on a full disk.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (isBusy(thrown))
      throw new ForemarkError(
        'run_in_progress',
        `another run is writing to ${storePath}; try again when it has ended`,
      );
    throw storeError(opened, thrown);
  }
  held.add(database);
  return () => {
    held.delete(database);
    database.close();
  };
}
