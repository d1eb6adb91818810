import { hash } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ForemarkError, failureCode, messageOf } from '../../model/errors.ts';
import { toMilliseconds, toSeconds } from '../../model/time.ts';
import type { OpenObject, Stamp } from '../../store/archive/archive.ts';
import { takeRunLock } from '../../store/run-lock.ts';
import type { WriteCondition } from './sink.ts';
import { Unsynced } from './unsynced.ts';

/** The end of a temporary file's name. No key ends like this: in an encoded id two hex digits follow a tilde. */
const WRITING = '~writing';
/** The number of the process whose temporary file has a name. */
const WRITER = new RegExp(`~(\\d+)${WRITING}$`);
/** The end of a lock file's name, held during a conditional write. */
const LOCK = '.lock';

/** How much of an opened file is read at a time: with Node's 64 KiB a large one takes a third more processor time to send. */
const PIECE_BYTES = 256 * 1024;

/**
 * Files below a folder, by key. A file is written under a temporary name and moved into place, so that nobody reads half of
 * it. One file can have several keys (hard links).
 */
export class FolderFiles {
  /** What was written but may not have reached the disk. */
  readonly unsynced = new Unsynced();
  readonly #place: string;
  /** Folders known to exist. */
  readonly #made = new Set<string>();

  constructor(place: string) {
    this.#place = place;
  }

  read(key: string): Buffer | undefined {
    try {
      return readFileSync(join(this.#place, key));
    } catch (thrown) {
      if (this.#isNothing(thrown)) return undefined;
      throw thrown;
    }
  }

  /** Opens the file under a key. It stays as it is: each write moves a new file into place. */
  async open(key: string): Promise<OpenObject | undefined> {
    let file: FileHandle;
    try {
      file = await open(join(this.#place, key));
    } catch (thrown) {
      if (this.#isNothing(thrown)) return undefined;
      throw thrown;
    }
    const stats = await file.stat();
    if (stats.isDirectory()) {
      await file.close();
      return undefined;
    }
    return {
      size: stats.size,
      stamp: stampOf(stats),
      read: (range = { start: 0, end: Infinity }) =>
        file.createReadStream({ ...range, autoClose: false, highWaterMark: PIECE_BYTES }),
      close: () => file.close(),
    };
  }

  /** Whether a failed read only means that nothing is under the key: it may name a folder, or lead through a file. */
  #isNothing(thrown: unknown): boolean {
    const code = failureCode(thrown);
    if (code === 'ENOENT' || code === 'EISDIR') return true;
    return code === 'ENOTDIR' && statSync(this.#place).isDirectory();
  }

  /** Changes whenever the file under a key is replaced, since each write moves a new file into place. */
  stamp(key: string): Stamp | undefined {
    const file = statSync(join(this.#place, key), { throwIfNoEntry: false });
    return file && stampOf(file);
  }

  /** @param flush whether the bytes are on the disk before they have the name; in a power cut it could name an empty file */
  put(key: string, body: Buffer, flush: boolean): void {
    try {
      this.#put(key, body, flush);
    } catch (thrown) {
      // Another process may have removed its folder while it was empty.
      if (failureCode(thrown) !== 'ENOENT') throw thrown;
      this.#made.clear();
      this.#put(key, body, flush);
    }
  }

  #put(key: string, body: Buffer, flush: boolean): void {
    const path = this.#makePath(key);
    try {
      makeBeside(path, (file) => writeFileSync(file, body, { flag: 'wx', flush }));
      dateAfter(besideOf(path), path);
      renameSync(besideOf(path), path);
    } catch (thrown) {
      try {
        rmSync(besideOf(path), { force: true });
      } catch {
        // The disk may accept no changes at all; the first failure is the one to report.
      }
      throw thrown;
    }
    this.unsynced.wrote(path);
  }

  /** @param flush as of {@link put} @returns whether the condition held */
  putIf(key: string, body: Buffer, condition: WriteCondition, flush: boolean): boolean {
    const unlock = takeRunLock(join(this.#place, key));
    try {
      if (!this.#holds(key, condition)) return false;
      this.put(key, body, flush);
      return true;
    } finally {
      unlock();
    }
  }

  /**
   * Puts the file under one key under a second one too. @throws what the file system throws; always, without hard links
   */
  link(from: string, to: string): void {
    const name = this.#makePath(to);
    linkFile(join(this.#place, from), name);
    this.unsynced.changed(name);
  }

  /** Removes files, and folders that become empty. */
  remove(keys: readonly string[]): void {
    const paths = keys.map((key) => join(this.#place, key));
    for (const path of paths) {
      rmSync(path, { force: true });
      this.unsynced.changed(path);
    }
    for (const folder of new Set(paths.map(dirname))) this.#removeEmpty(folder);
  }

  /** Removes the temporary files directly in folders whose processes have ended. */
  removeLeftovers(folders: readonly string[]): void {
    for (const folder of folders)
      for (const { name } of this.#entriesOf(folder)) {
        const writer = WRITER.exec(name)?.[1];
        if (writer === undefined || isAtWork(Number(writer))) continue;
        // If it is at work on another machine after all, it writes the file again.
        rmSync(join(this.#place, folder, name), { force: true });
      }
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
    // A new folder is an entry of its parent, which has to be synced too.
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
        // Not empty, or already gone.
        return;
      }
      this.#made.delete(each);
      this.unsynced.changed(each);
    }
  }

  *#walk(folder: string): Generator<string> {
    // A folder sorts as its name with the slash.
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

function stampOf({ ino, ctimeMs, mtimeMs, size }: Stats): Stamp {
  return { version: `${ino} ${ctimeMs} ${size}`, modified_at: Math.floor(mtimeMs) };
}

/** The SHA-256 of a file's bytes. */
export function etagOf(body: Buffer): string {
  return hash('sha256', body);
}

/** A file system error as the error of a sink; our own errors are left as they are. */
export function unusableFolder(place: string, thrown: unknown): ForemarkError {
  if (thrown instanceof ForemarkError) return thrown;
  const reason = failureCode(thrown) === 'ENOSPC' ? 'the disk is full' : messageOf(thrown);
  return new ForemarkError('sink_unavailable', `publication folder ${place}: ${reason}`, { cause: thrown });
}

function besideOf(path: string): string {
  return `${path}~${process.pid}${WRITING}`;
}

/** Whether another process of this machine has a number. A file with our own number was left by an earlier process. */
function isAtWork(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return failureCode(thrown) === 'EPERM';
  }
}

/**
 * Makes the temporary file of a path. One that exists already was left by a killed process with the same number, as is
 * usual in containers. It is removed first: it may be a hard link to a file of the archive, which writing into it would
 * change.
 */
function makeBeside(path: string, make: (file: string) => void): void {
  try {
    make(besideOf(path));
  } catch (thrown) {
    if (failureCode(thrown) !== 'EEXIST') throw thrown;
    rmSync(besideOf(path));
    make(besideOf(path));
  }
}

/** Gives a file another name, replacing the file that had it. */
function linkFile(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch (thrown) {
    if (failureCode(thrown) !== 'EEXIST') throw thrown;
    makeBeside(name, (beside) => linkSync(file, beside));
    dateAfter(besideOf(name), name);
    renameSync(besideOf(name), name);
    // If both already were the same file, rename did nothing.
    rmSync(besideOf(name), { force: true });
  }
}

/**
 * Dates a new file by a later second than the file that it is about to replace. Hosts tell files apart by second and size:
 * of two generations within a second, nginx would go on calling the first one current.
 */
function dateAfter(file: string, replaced: string): void {
  const before = statSync(replaced, { throwIfNoEntry: false });
  const after = statSync(file);
  if (!before || before.ino === after.ino) return;
  const later = toSeconds(before.mtimeMs) + 1;
  if (after.mtimeMs < toMilliseconds(later)) utimesSync(file, later, later);
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
