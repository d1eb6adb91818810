import { statSync } from 'node:fs';
import { ForemarkError } from '../model/errors.ts';

const LOOK_EVERY_MS = 1_000;

const GONE = 'gone';

/**
 * Resolves with the signal that asks a server to shut down.
 *
 * @param store path of the file that the server has open
 * @throws ForemarkError store_unusable when another file is at that path (a restored copy, another demo): otherwise the
 *   server would answer from a file that is no longer updated, and accept keys that have been revoked since
 */
export function waitForShutdown(store: string): Promise<'SIGINT' | 'SIGTERM'> {
  const { promise, resolve, reject } = Promise.withResolvers<'SIGINT' | 'SIGTERM'>();
  process.once('SIGINT', () => resolve('SIGINT'));
  process.once('SIGTERM', () => resolve('SIGTERM'));
  const opened = fileAt(store);
  const look = setInterval(() => {
    const standing = fileAt(store);
    if (standing === undefined || standing === opened) return;
    const how = standing === GONE ? 'no longer exists' : 'was replaced by another file';
    reject(new ForemarkError('store_unusable', `store ${store}: it ${how}; restart the server to read it`));
  }, LOOK_EVERY_MS);
  return promise.finally(() => clearInterval(look));
}

/**
 * Identifies a store's file, by the file itself and by the index of its log. The index exists as long as a process has
 * the store open, and is removed when a copy is written into the same file. Undefined when it cannot be read at the
 * moment.
 */
function fileAt(path: string): string | undefined {
  try {
    const [file, index] = [path, `${path}-shm`].map((each) => statSync(each, { throwIfNoEntry: false }));
    return file ? `${file.dev} ${file.ino} ${index?.ino}` : GONE;
  } catch {
    return undefined;
  }
}
