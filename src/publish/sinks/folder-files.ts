import { hash } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ForemarkError, failureCode, messageOf } from '../../model/errors.ts';
import { takeRunLock } from '../../store/run-lock.ts';
import type { WriteCondition } from './sink.ts';
import { Unsynced } from './unsynced.ts';

/** A file on its way to its place. No key ends so: in an encoded id a tilde has two hex digits behind it. */
const WRITING = '~writing';
/** Held while a condition is looked at and its write is done. */
const LOCK = '.lock';

/**
 * Files by their keys below a folder. A file is written beside its place and moved there, so that nobody reads half of
 * it; one file can stand under several keys.
 */
export class FolderFiles {
  /** What was written and may not have reached the disk. */
  readonly unsynced = new Unsynced();
  readonly #place: string;
  /** Folders that are known to be there. */
  readonly #made = new Set<string>();

  constructor(place: string) {
    this.#place = place;
  }

  read(key: string): Buffer | undefined {
    try {
      return readFileSync(join(this.#place, key));
    } catch (thrown) {
      const code = failureCode(thrown);
      // The key names a folder, or leads on below a file: there is nothing under it either.
      if (code === 'ENOENT' || code === 'EISDIR') return undefined;
      if (code === 'ENOTDIR' && statSync(this.#place).isDirectory()) return undefined;
      throw thrown;
    }
  }

  /** What differs when another file stands under a key: each write is a file of its own, moved into its place. */
  stamp(key: string): string | undefined {
    const file = statSync(join(this.#place, key), { throwIfNoEntry: false });
    return file && `${file.ino} ${file.ctimeMs} ${file.size}`;
  }

  put(key: string, body: Buffer): void {
    try {
      this.#put(key, body);
    } catch (thrown) {
      // Another process may have taken its folder away, which was empty.
      if (failureCode(thrown) !== 'ENOENT') throw thrown;
      this.#made.clear();
      this.#put(key, body);
    }
  }

  #put(key: string, body: Buffer): void {
    const path = this.#makePath(key);
    try {
      writeFileSync(besideOf(path), body);
      renameSync(besideOf(path), path);
    } catch (thrown) {
      rmSync(besideOf(path), { force: true });
      throw thrown;
    }
    this.unsynced.wrote(path);
  }

  /** @returns whether the condition held */
  putIf(key: string, body: Buffer, condition: WriteCondition): boolean {
    const unlock = takeRunLock(join(this.#place, key));
    try {
      if (!this.#holds(key, condition)) return false;
      this.put(key, body);
      return true;
    } finally {
      unlock();
    }
  }

  /** Gives the file under one key another one too. @throws what the file system throws, one without links always */
  link(from: string, to: string): void {
    const name = this.#makePath(to);
    linkFile(join(this.#place, from), name);
    this.unsynced.changed(name);
  }

  /** Takes files away, and the folders that hold nothing more. */
  remove(keys: readonly string[]): void {
    const paths = keys.map((key) => join(this.#place, key));
    for (const path of paths) {
      rmSync(path, { force: true });
      this.unsynced.changed(path);
    }
    for (const folder of new Set(paths.map(dirname))) this.#removeEmpty(folder);
  }

  /**
   * The keys that begin with a prefix, in the order in which object stores list them. One folder of each depth is in
   * memory at a time: an archive has more keys than that.
   */
  *list(prefix: string): Generator<string> {
    // Only the folders that can hold the prefix are walked.
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    for (const key of this.#walk(folder)) if (key.startsWith(prefix)) yield key;
  }

  #holds(key: string, condition: WriteCondition): boolean {
    const standing = this.read(key);
    if ('absent' in condition) return standing === undefined;
    return standing !== undefined && etagOf(standing) === condition.etag;
  }

  #makePath(key: string): string {
    const path = join(this.#place, key);
    const parent = dirname(path);
    if (!this.#made.has(parent)) mkdirSync(parent, { recursive: true });
    // A new folder is a name in the one above it.
    for (let each = parent; each !== this.#place && !this.#made.has(each); each = dirname(each)) {
      this.#made.add(each);
      this.unsynced.changed(each);
    }
    return path;
  }

  #removeEmpty(folder: string): void {
    for (let each = folder; each !== this.#place; each = dirname(each)) {
      try {
        rmdirSync(each);
      } catch {
        // It holds something, or is gone already.
        return;
      }
      this.#made.delete(each);
      this.unsynced.changed(each);
    }
  }

  *#walk(folder: string): Generator<string> {
    // What lies in a folder stands in the order as its name with the slash.
    const names = this.#entriesOf(folder).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    );
    for (const name of names.sort(byBytes)) {
      if (name.endsWith('/')) yield* this.#walk(folder + name);
      else if (!name.endsWith(LOCK)) yield folder + name;
    }
  }

  #entriesOf(folder: string) {
    try {
      return readdirSync(join(this.#place, folder), { withFileTypes: true });
    } catch (thrown) {
      if (failureCode(thrown) === 'ENOENT') return [];
      throw thrown;
    }
  }
}

/** The SHA-256 of a file's bytes. */
export function etagOf(body: Buffer): string {
  return hash('sha256', body);
}

/** What went wrong with a folder of files, as the error of a sink; errors of our own stay as they are. */
export function unusableFolder(place: string, thrown: unknown): ForemarkError {
  if (thrown instanceof ForemarkError) return thrown;
  const reason = failureCode(thrown) === 'ENOSPC' ? 'the disk is full' : messageOf(thrown);
  return new ForemarkError('sink_unavailable', `publication folder ${place}: ${reason}`, { cause: thrown });
}

function besideOf(path: string): string {
  return `${path}~${process.pid}${WRITING}`;
}

/** Gives a file one more name, in place of the file that may have had it. */
function linkFile(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (thrown) {
    if (failureCode(thrown) !== 'EEXIST') throw thrown;
    linkSync(file, besideOf(name));
    renameSync(besideOf(name), name);
    // Where both were the same file already, nothing was moved.
    rmSync(besideOf(name), { force: true });
  }
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
