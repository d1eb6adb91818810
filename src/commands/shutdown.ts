import { statSync } from 'node:fs';
import { ForemarkError } from '../model/errors.ts';

const LOOK_EVERY_MS = 1_000;

const GONE = 'gone';

/**
 * Resolves with the signal that asks a server to shut down.
 *
 * @param store path of the file that the server has open
 * @throws ForemarkError store_unusable once another file is at that path (a restored copy, another demo): the server
 *   would go on answering from a file that nobody updates, and accept keys that were revoked since
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
 * Identifies a store's file, also by its log's index, which stays while anybody has the store open: who copies into the same
 * file removes the log. Undefined when it cannot be read at the moment.
 */
function fileAt(path: string): string | undefined {
  try {
    const [file, index] = [path, `${path}-shm`].map((each) => statSync(each, { throwIfNoEntry: false }));
    return file ? `${file.dev} ${file.ino} ${index?.ino}` : GONE;
  } catch {
    return undefined;
  }
}
