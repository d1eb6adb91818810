import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { atOnce } from '../../model/at-once.ts';
import { failureCode } from '../../model/errors.ts';

/** Waiting for a disk is done for so many files at once: it then writes many together. */
const WIDTH = 16;
/** So many files are let run up. */
const MOST_FILES = 2_000;

/** Of a path that is gone by now, or that a file system cannot bring to the disk by itself, as some do with folders. */
const LET_BE: ReadonlySet<unknown> = new Set(['ENOENT', 'EINVAL', 'ENOTSUP', 'ENOSYS', 'EPERM', 'EISDIR']);

/** What was changed in a folder and may not be on the disk yet: a power cut could take it away, or leave it empty. */
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

  /** Returns when so little is noted that it need not be waited for. */
  async limit(): Promise<void> {
    if (this.#files.size >= MOST_FILES) await sync(this.#files);
  }

  /** Returns when all that was noted is on the disk: the files, and then their names, which are their folders'. */
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
    if (!LET_BE.has(failureCode(thrown))) throw thrown;
  }
}
