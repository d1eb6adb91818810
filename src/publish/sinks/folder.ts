import { hash } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ForemarkError, messageOf } from '../../model/errors.ts';
import { takeRunLock } from '../../store/run-lock.ts';
import type { Sink, WriteCondition } from './sink.ts';
import { Unsynced } from './unsynced.ts';

/** A file on its way to its place. No key ends so: in an encoded id a tilde has two hex digits behind it. */
const WRITING = '~writing';
/** Held while a condition is looked at and its write is done. */
const LOCK = '.lock';

/**
 * A folder of files, ready for any static host. A file is written beside its place and moved there, so that
 * nobody reads half of it. The ETag is the SHA-256 of the bytes. One file can stand under several keys, so none
 * may be edited in place.
 */
export function folderSink(folder: string): Sink {
  const place = resolve(folder);
  const made = new Set<string>();
  const unsynced = new Unsynced();
  const read = (key: string): Buffer | undefined => {
    try {
      return readFileSync(join(place, key));
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return undefined;
      throw unusable(place, thrown);
    }
  };
  const makePath = (key: string): string => {
    const path = join(place, key);
    const parent = dirname(path);
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    // A new folder is a name in the one above it.
    for (let each = parent; each !== place && !made.has(each); each = dirname(each)) {
      made.add(each);
      unsynced.changed(each);
    }
    return path;
  };
  const put = (key: string, body: Buffer): void => {
    const path = makePath(key);
    try {
      writeFileSync(besideOf(path), body);
      renameSync(besideOf(path), path);
    } catch (thrown) {
      rmSync(besideOf(path), { force: true });
      throw thrown;
    }
    unsynced.wrote(path);
  };
  /** @returns whether the condition held */
  const putIf = (key: string, body: Buffer, condition: WriteCondition): boolean => {
    const unlock = takeRunLock(join(place, key));
    try {
      if (!holds(key, condition)) return false;
      put(key, body);
      return true;
    } finally {
      unlock();
    }
  };
  const holds = (key: string, condition: WriteCondition): boolean => {
    const standing = read(key);
    if ('absent' in condition) return standing === undefined;
    return standing !== undefined && etagOf(standing) === condition.etag;
  };
  return {
    place,
    width: 1,
    prices: { write: 0, read: 0 },
    read: async (key) => read(key),
    stamp(key) {
      // Each write is a file of its own, moved into its place.
      const file = statSync(join(place, key), { throwIfNoEntry: false });
      return file && `${file.ino} ${file.ctimeMs} ${file.size}`;
    },
    async find(key) {
      const body = read(key);
      return body && { body, etag: etagOf(body), metadata: {} };
    },
    async write(key, body, { condition, barrier = false } = {}) {
      try {
        if (barrier) await unsynced.sync();
        if (!condition) put(key, body);
        else if (!putIf(key, body, condition)) return undefined;
        await (barrier ? unsynced.sync() : unsynced.limit());
      } catch (thrown) {
        throw thrown instanceof ForemarkError ? thrown : unusable(place, thrown);
      }
      return etagOf(body);
    },
    async link(from, to) {
      try {
        const name = makePath(to);
        linkFile(join(place, from), name);
        unsynced.changed(name);
        return true;
      } catch {
        // A file system without links, say, or the most names that it lets a file have.
        return false;
      }
    },
    async *list(prefix) {
      // Only the folders that can hold the prefix are walked.
      const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      const keys: string[] = [];
      walk(place, folder, keys);
      yield* keys.filter((key) => key.startsWith(prefix)).sort(byBytes);
    },
    async remove(...keys) {
      try {
        for (const key of keys) {
          rmSync(join(place, key), { force: true });
          unsynced.changed(join(place, key));
        }
      } catch (thrown) {
        throw unusable(place, thrown);
      }
    },
  };
}

function besideOf(path: string): string {
  return `${path}~${process.pid}${WRITING}`;
}

/** Gives a file one more name, in place of the file that may have had it. */
function linkFile(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
    linkSync(file, besideOf(name));
    renameSync(besideOf(name), name);
    // Where both were the same file already, nothing was moved.
    rmSync(besideOf(name), { force: true });
  }
}

function walk(place: string, folder: string, keys: string[]): void {
  for (const entry of entriesOf(place, folder)) {
    if (entry.isDirectory()) walk(place, `${folder}${entry.name}/`, keys);
    else if (!entry.name.endsWith(LOCK)) keys.push(folder + entry.name);
  }
}

function entriesOf(place: string, folder: string) {
  try {
    return readdirSync(join(place, folder), { withFileTypes: true });
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw unusable(place, thrown);
  }
}

/** The order in which object stores list keys. */
function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function etagOf(body: Buffer): string {
  return hash('sha256', body);
}

function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}

function unusable(place: string, thrown: unknown): ForemarkError {
  const reason = codeOf(thrown) === 'ENOSPC' ? 'the disk is full' : messageOf(thrown);
  return new ForemarkError('sink_unavailable', `publication folder ${place}: ${reason}`, { cause: thrown });
}
