import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { ForemarkError } from '../model/errors.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/**
 * Migrates a database to the newest schema: runs each `NNNN-*.sql` once, in order, in one transaction, so that a killed
 * process leaves either the old schema or the new one.
 *
 * @throws ForemarkError store_unusable when the database is newer than this program, or old and read-only
 */
export function migrate(database: Database.Database, readonly: boolean): void {
  const files = readdirSync(FOLDER)
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort();
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version > files.length)
    throw new ForemarkError(
      'store_unusable',
      `store has schema ${version}, this program knows up to ${files.length}; use a newer foremark`,
    );
  if (readonly && version < files.length)
    throw new ForemarkError(
      'store_unusable',
      `store has schema ${version}, ${files.length} is needed; run ingest first`,
    );
  if (version === files.length) return;
  database.exec('BEGIN IMMEDIATE');
  // Another process may have migrated while this one waited for the lock.
  const begun = Number(database.pragma('user_version', { simple: true }));
  for (const name of files.slice(begun)) database.exec(readFileSync(join(FOLDER, name), 'utf8'));
  database.pragma(`user_version = ${Math.max(begun, files.length)}`);
  database.exec('COMMIT');
}
