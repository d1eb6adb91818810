import { existsSync, readFileSync, type renameSync, type writeFileSync } from 'node:fs';
import type { open as Open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { mirrorArchive } from '../../src/publish/mirror.ts';
import { publishGeneration } from '../../src/publish/publish-generation.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { DAY, HOUR, type Texts, texts } from './generation-steps.ts';
import { keysOf } from './keys-of.ts';

interface Synced {
  /** A file or folder that was flushed to the disk. */
  path: string;
  /** What the pointer and the record of the tree said at that time. */
  pointer: number;
  tree: number;
}
const synced: Synced[] = [];
/** The paths that the disk does not flush, and how it refuses. */
let failing = /^$/;
let refusal = '';

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<{ open: typeof Open }>();
  return {
    ...real,
    open: async (...asked: Parameters<typeof Open>) => {
      const handle = await real.open(...asked);
      return {
        sync: async () => {
          if (failing.test(String(asked[0])))
            throw Object.assign(new Error('of the test'), { code: refusal });
          await handle.sync();
          note(String(asked[0]));
        },
        close: () => handle.close(),
      };
    },
  };
});

/** Temporary files that were flushed before they were closed, and the names that such files got. */
const flushed = new Set<string>();
const named: string[] = [];

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<{ renameSync: typeof renameSync; writeFileSync: typeof writeFileSync }>();
  return {
    ...real,
    writeFileSync: (...asked: Parameters<typeof writeFileSync>) => {
      const [file, , options] = asked;
      real.writeFileSync(...asked);
      if (typeof options === 'object' && options?.flush) flushed.add(String(file));
    },
    renameSync: (from: string, to: string) => {
      real.renameSync(from, to);
      if (flushed.delete(from)) named.push(to);
    },
  };
});

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  failing = /^$/;
});

function note(path: string): void {
  synced.push({
    path,
    pointer: generationIn('archive/pointer.json'),
    tree: generationIn('publication.json'),
  });
}

function generationIn(key: string): number {
  const path = join(folder, key);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).generation : 0;
}

async function publishAt(wanted: Texts, hours: number): Promise<{ keys: string[]; notes: Synced[] }> {
  const sink = folderSink(folder);
  const before = new Set(await keysOf(sink, ''));
  synced.length = 0;
  const documents = Object.entries(wanted).map(([key, body]) => ({ key, body }));
  await publishGeneration([documents], { sink, now: DAY + hours * HOUR, label: '', progress: () => {} });
  return { keys: (await keysOf(sink, '')).filter((key) => !before.has(key)), notes: [...synced] };
}

/** Whether a file and its name, or only the name, were on the disk while a condition held. */
function lasted(notes: readonly Synced[], key: string, when: (note: Synced) => boolean, isLink = false) {
  const paths = notes.filter(when).map((each) => each.path);
  const path = join(folder, key);
  return (isLink || paths.includes(path)) && paths.includes(dirname(path));
}

test('a generation reaches the disk before the pointer, the pointer before the tree, the tree before its record', async () => {
  for (const [generation, wanted] of [
    texts(30, (i) => `first ${i}`),
    texts(30, (i) => (i < 20 ? `first ${i}` : `second ${i}`)),
  ].entries()) {
    const { keys, notes } = await publishAt(wanted, generation);
    const archive = keys.filter((key) => /^archive\/(objects|shards|generations)\//.test(key));
    expect(archive.length).toBeGreaterThan(10);
    for (const key of archive)
      expect(
        lasted(notes, key, (each) => each.pointer === generation),
        key,
      ).toBe(true);
    const tree = (each: Synced) => each.pointer === generation + 1 && each.tree === generation;
    expect(lasted(notes, 'archive/pointer.json', tree)).toBe(true);
    const pointerAt = notes.findIndex((each) => each.path.endsWith('pointer.json'));
    const treeAt = notes.findIndex((each) => each.path === join(folder, 'api/v1/public'));
    expect(treeAt).toBeGreaterThan(pointerAt);
    for (const key of Object.keys(wanted)) expect(lasted(notes, key, tree, true), key).toBe(true);
    expect(lasted(notes, 'publication.json', (each) => each.tree === generation + 1)).toBe(true);
  }
});

test('the pointer and the record of the tree get their names only once their bytes are on the disk', async () => {
  named.length = 0;
  await publishAt({ 'api/v1/public/a.json': '{}' }, 0);
  expect(named).toEqual(['archive/pointer.json', 'publication.json'].map((key) => join(folder, key)));
});

test('the name of a new folder is flushed in its parent folder', async () => {
  const { notes } = await publishAt({ 'api/v1/public/markets/a/related.json': '{}' }, 0);
  const paths = notes.map((each) => each.path);
  for (const each of ['api/v1/public/markets/a', 'api/v1/public/markets', 'api/v1', 'api', 'archive', '.'])
    expect(paths).toContain(join(folder, each));
});

test('a withdrawal, and a mirror, are on the disk before they are reported', async () => {
  const kept = { ...texts(1, () => 'a'), 'api/v1/public/markets/b/related.json': '{}' };
  const withdrawn = { ...texts(2, () => 'a'), 'api/v1/public/markets/a/related.json': '{}' };
  await publishAt({ ...withdrawn, ...kept }, 0);
  const { notes } = await publishAt(kept, 1);
  // Of the file, and of the folder that became empty.
  for (const parent of ['api/v1/public', 'api/v1/public/markets'])
    expect(notes.find((each) => each.path === join(folder, parent))?.tree).toBe(1);
  const from = folderSink(folder);
  folder = temporaryFolder();
  synced.length = 0;
  await mirrorArchive(from, folderSink(folder));
  for (const key of await keysOf(from, 'archive/objects/'))
    expect(
      lasted(synced, key, (each) => each.pointer === 0),
      key,
    ).toBe(true);
});

test('what cannot be flushed ends the publish before the pointer, unless the file system flushes no such path', async () => {
  const wanted = texts(2, () => 'a');
  [failing, refusal] = [/objects/, 'EIO'];
  await expect(publishAt(wanted, 0)).rejects.toMatchObject({ code: 'sink_unavailable' });
  expect(generationIn('archive/pointer.json')).toBe(0);
  [failing, refusal] = [/objects$/, 'EINVAL'];
  await publishAt(wanted, 0);
  expect(generationIn('publication.json')).toBe(1);
});
