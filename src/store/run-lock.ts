import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { ForemarkError } from '../model/errors.ts';
import { isBusy, NOT_OPENED } from './store-errors.ts';

// A connection that nothing refers to is closed by the garbage collector, and its lock with it.
const held = new Set<Database.Database>();

/**
 * Takes the lock under which one run at a time writes to a store. The operating system holds it with the
 * process, so that a killed run leaves nothing behind to clear away.
 *
 * @returns a function that gives the lock back
 * @throws ForemarkError run_in_progress when another process holds it, store_unusable when its folder cannot
 *   be made or written
 */
export function takeRunLock(storePath: string): () => void {
  if (storePath === ':memory:') return () => {};
  let database: Database.Database;
  try {
    mkdirSync(dirname(storePath), { recursive: true });
    database = new Database(`${storePath}.lock`, { timeout: 0 });
  } catch (cause) {
    throw new ForemarkError('store_unusable', `store ${storePath}: ${NOT_OPENED}`, { cause });
  }
  try {
    // Nothing is ever written: the lock is to be had where the disk is full, for what makes room on it.
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (isBusy(thrown))
      throw new ForemarkError(
        'run_in_progress',
        `another run is writing to ${storePath}; try again when it has ended`,
      );
    throw thrown;
  }
  held.add(database);
  return () => {
    held.delete(database);
    database.close();
  };
}
