import { closeSync, openSync } from 'node:fs';
import { ForemarkError, failureCode, messageOf } from '../model/errors.ts';

/** Even a reader needs write access: it marks its position in the write-ahead log in a file next to the store. */
const NOT_OPENED = 'the file cannot be opened; it and its folder must be writable, even to read it';

export const DAMAGED = 'the file is damaged; restore it from a backup';

/** Explanations of SQLite's errors, by prefix of the code. */
const UNUSABLE: Record<string, string> = {
  SQLITE_FULL: 'the disk is full',
  SQLITE_NOTADB: 'the file is not a SQLite database',
  SQLITE_CORRUPT: DAMAGED,
  SQLITE_READONLY: 'the file or its folder cannot be written, which is needed even to read it',
  SQLITE_BUSY: 'another program is writing to it',
  SQLITE_IOERR_SHMSIZE:
    'there is no room for the index of its log beside it, which even reading needs: the disk is full',
  SQLITE_IOERR_SHM:
    'its file system cannot share the index of its log between processes, as network file systems often cannot; put it on a local disk',
  SQLITE_IOERR: 'reading or writing failed',
};

/** Why a file could not be opened. SQLite says the same when no process may open another one. */
export function whyNotOpened(): string {
  try {
    closeSync(openSync(process.execPath, 'r'));
  } catch (thrown) {
    if (['EMFILE', 'ENFILE'].includes(failureCode(thrown) ?? ''))
      return 'too many files are open; raise the limit (ulimit -n)';
  }
  return NOT_OPENED;
}

/** Turns an error of SQLite into one that explains it; returns any other error unchanged. */
export function storeError(path: string, thrown: unknown): unknown {
  const code = failureCode(thrown) ?? '';
  const [, known] = Object.entries(UNUSABLE).find(([begin]) => code.startsWith(begin)) ?? [];
  const reason = code.startsWith('SQLITE_CANTOPEN') ? whyNotOpened() : known;
  if (reason === undefined) return thrown;
  return new ForemarkError('store_unusable', `store ${path}: ${reason}`, {
    detail: messageOf(thrown),
    cause: thrown,
  });
}

/** Whether SQLite failed because another connection holds a lock. */
export function isBusy(thrown: unknown): boolean {
  return failureCode(thrown)?.startsWith('SQLITE_BUSY') ?? false;
}
