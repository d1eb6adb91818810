import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ForemarkError, messageOf } from '../../model/errors.ts';
import type { Sink } from './sink.ts';

/**
 * A folder of files, ready for any static host. A file is written beside its place and moved there, so that
 * nobody reads half of it.
 */
export function folderSink(folder: string): Sink {
  const place = resolve(folder);
  const made = new Set<string>();
  return {
    place,
    async read(key) {
      try {
        return readFileSync(join(place, key));
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT') return undefined;
        throw unwritable(place, thrown);
      }
    },
    async write(key, bytes) {
      const path = join(place, key);
      const parent = dirname(path);
      try {
        if (!made.has(parent)) mkdirSync(parent, { recursive: true });
        made.add(parent);
        // No key holds this: in an encoded id, a tilde is followed by two hex digits or another tilde.
        const beside = `${path}~writing`;
        writeFileSync(beside, bytes);
        renameSync(beside, path);
      } catch (thrown) {
        throw unwritable(place, thrown);
      }
    },
    async list(folder) {
      try {
        const entries = readdirSync(join(place, folder), { recursive: true, withFileTypes: true });
        return entries
          .filter((entry) => entry.isFile())
          .map((entry) => relative(place, join(entry.parentPath, entry.name)).split(sep).join('/'));
      } catch (thrown) {
        if (codeOf(thrown) === 'ENOENT') return [];
        throw unwritable(place, thrown);
      }
    },
    async remove(key) {
      try {
        rmSync(join(place, key), { force: true });
      } catch (thrown) {
        throw unwritable(place, thrown);
      }
    },
  };
}

function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}

function unwritable(place: string, thrown: unknown): ForemarkError {
  const reason = codeOf(thrown) === 'ENOSPC' ? 'the disk is full' : messageOf(thrown);
  return new ForemarkError('store_unusable', `publication folder ${place}: ${reason}`, { cause: thrown });
}
