import { statSync } from 'node:fs';
import { ForemarkError } from '../model/errors.ts';

const LOOK_EVERY_MS = 1_000;

const GONE = 'gone';

/**
 * Resolves when a server is asked to end, with the signal.
 *
 * @param store the file that it has opened
 * @throws ForemarkError store_unusable once that file stands in its place no more: a restored copy or another demo took
 *   it, and the server would answer for good from what nobody writes to, revoked keys too
 */
export function untilEnd(store: string): Promise<'SIGINT' | 'SIGTERM'> {
  const { promise, resolve, reject } = Promise.withResolvers<'SIGINT' | 'SIGTERM'>();
  process.once('SIGINT', () => resolve('SIGINT'));
  process.once('SIGTERM', () => resolve('SIGTERM'));
  const opened = fileAt(store);
  const look = setInterval(() => {
    const standing = fileAt(store);
    if (standing === undefined || standing === opened) return;
    const how = standing === GONE ? 'is there no more' : 'has given its place to another file';
    reject(new ForemarkError('store_unusable', `store ${store}: it ${how}; start anew what is to read it`));
  }, LOOK_EVERY_MS);
  return promise.finally(() => clearInterval(look));
}

/** Which file stands at a path, if any; undefined where that cannot be told for the moment. */
function fileAt(path: string): string | undefined {
  try {
    const file = statSync(path, { throwIfNoEntry: false });
    return file ? `${file.dev} ${file.ino}` : GONE;
  } catch {
    return undefined;
  }
}
