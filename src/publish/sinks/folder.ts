import { resolve } from 'node:path';
import { etagOf, FolderFiles, unusableFolder } from './folder-files.ts';
import type { Sink } from './sink.ts';

/**
 * A folder of files, ready for any static host. The ETag is the SHA-256 of the bytes. One file can have several keys, so
 * none may be edited in place.
 */
export function folderSink(folder: string): Sink {
  const place = resolve(folder);
  const files = new FolderFiles(place);
  /** @throws ForemarkError sink_unavailable */
  const tell = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw unusableFolder(place, thrown);
    }
  };
  return {
    place,
    width: 1,
    prices: { write: 0, read: 0 },
    read: (key) => tell(() => files.read(key)),
    stamp: (key) => files.stamp(key),
    open: (key) => tell(() => files.open(key)),
    find: (key) =>
      tell(() => {
        const body = files.read(key);
        return body && { body, etag: etagOf(body), metadata: {} };
      }),
    write: (key, body, { condition, barrier = false } = {}) =>
      tell(async () => {
        if (barrier) await files.unsynced.sync();
        if (!condition) files.put(key, body, barrier);
        else if (!files.putIf(key, body, condition, barrier)) return undefined;
        await (barrier ? files.unsynced.sync() : files.unsynced.limit());
        return etagOf(body);
      }),
    async link(from, to) {
      try {
        files.link(from, to);
        return true;
      } catch {
        // A file system without links, say, or the limit of links to a file.
        return false;
      }
    },
    async *list(prefix) {
      try {
        yield* files.list(prefix);
      } catch (thrown) {
        throw unusableFolder(place, thrown);
      }
    },
    removeLeftovers: (...folders) => tell(() => files.removeLeftovers(folders)),
    remove: (...keys) => tell(() => files.remove(keys)),
  };
}
