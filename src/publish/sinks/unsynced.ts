import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { atOnce } from '../../model/at-once.ts';
import { failureCode } from '../../model/errors.ts';

/** Files synced concurrently: the disk then writes many together. */
const WIDTH = 16;
/** Files that may wait to be synced. */
const MOST_FILES = 2_000;

/** Errors to ignore: the path is gone, or the file system cannot sync it (folders, on some). */
const IGNORED: ReadonlySet<unknown> = new Set(['ENOENT', 'EINVAL', 'ENOTSUP', 'ENOSYS', 'EPERM', 'EISDIR']);

/** Changes that may not be on the disk yet: in a power cut they could be lost, or leave empty files. */
export class Unsynced {
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** Notes that a file was written. */
  wrote(file: string): void {
    this.#files.add(file);
    this.changed(file);
  }

  /** Notes that a name came or went. */
  changed(path: string): void {
    this.#folders.add(dirname(path));
  }

  /** Syncs the files if too many wait. */
  async limit(): Promise<void> {
    if (this.#files.size >= MOST_FILES) await sync(this.#files);
  }

  /** Syncs everything: the files, then their names, which belong to their folders. */
  async sync(): Promise<void> {
    await sync(this.#files);
    await sync(this.#folders);
  }
}

async function sync(paths: Set<string>): Promise<void> {
  await atOnce(WIDTH, paths, async (path) => {
    await syncPath(path);
    paths.delete(path);
  });
}

async function syncPath(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    if (!IGNORED.has(failureCode(thrown))) throw thrown;
  }
}
