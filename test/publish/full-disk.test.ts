import { readdirSync, type rmSync, statSync, type writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { ForemarkError } from '../../src/model/errors.ts';
import { prune } from '../../src/publish/prune.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { verifyArchive } from '../../src/publish/verify.ts';
import { takeRunLock } from '../../src/store/run-lock.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { archiveOf, DAY, HOUR, publishTexts, texts } from './generation-steps.ts';
import { type MemorySink, memorySink } from './memory-sink.ts';

/** What the disk of the test still does. */
const disk = { writes: true, removes: true };
const failure = (code: string) => Object.assign(new Error(`${code}: of the test`), { code });

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<{ rmSync: typeof rmSync; writeFileSync: typeof writeFileSync }>();
  return {
    ...real,
    writeFileSync: (...asked: Parameters<typeof writeFileSync>) => {
      if (disk.writes) return real.writeFileSync(...asked);
      const [file, , options] = asked;
      real.writeFileSync(file, 'half of', options);
      throw failure('ENOSPC');
    },
    rmSync: (...asked: Parameters<typeof rmSync>) => {
      if (!disk.removes) throw failure('EROFS');
      real.rmSync(...asked);
    },
  };
});

test('a folder says that the disk is full and keeps no half of a file', async () => {
  const folder = temporaryFolder();
  const written = () => folderSink(folder).write('a.json', Buffer.from('1'));
  disk.writes = false;
  await expect(written()).rejects.toThrow(`publication folder ${folder}: the disk is full`);
  expect(readdirSync(folder)).toEqual([]);
  disk.removes = false;
  await expect(written()).rejects.toThrow(`publication folder ${folder}: the disk is full`);
  disk.writes = disk.removes = true;
  await written();
  expect(readdirSync(folder)).toEqual(['a.json']);
});

const options = { now: DAY + 20 * HOUR, keepGenerations: 2, keepDays: 0, dryRun: false };
const SAID = 'publication.json';

/** A sink with no room beyond what it holds. */
async function fullSink(): Promise<MemorySink> {
  const sink = await archiveOf(6);
  const full = sink.objects.size;
  return {
    ...sink,
    async write(key, ...more) {
      if (sink.objects.size < full) return sink.write(key, ...more);
      const cause = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      throw new ForemarkError('sink_unavailable', 'the disk is full', { cause });
    },
  };
}

test('a prune makes room on a full disk, and ends like any other', async () => {
  const sink = await fullSink();
  const said = sink.objects.get(SAID);
  expect(await prune({ sink, ...options })).toMatchObject({ generations_removed: 4 });
  expect(sink.objects.get(SAID)).toEqual(said);
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test('cut off after that, the next publish and the next prune continue', async () => {
  const sink = await fullSink();
  await expect(prune({ ...options, sink: { ...sink, remove: cutOffAtArchive(sink) } })).rejects.toThrow(
    'cut off',
  );
  expect(sink.objects.has(SAID)).toBe(false);
  const again = memorySink(1, sink.objects);
  const wanted = texts(600, (i) => `later ${i}`);
  expect(await publishTexts(again, wanted, { now: options.now })).toMatchObject({ finished_before: true });
  await prune({ sink: again, ...options });
  expect((await verifyArchive(again)).problems).toEqual([]);
});

function cutOffAtArchive(sink: MemorySink): MemorySink['remove'] {
  return async (...keys) => {
    if (keys.some((key) => key.startsWith('archive/'))) throw new Error('cut off');
    await sink.remove(...keys);
  };
}

test('a run lock takes no space', () => {
  const folder = temporaryFolder();
  const unlock = takeRunLock(join(folder, 'foremark.db'));
  expect(readdirSync(folder)).toEqual(['foremark.db.lock']);
  expect(statSync(join(folder, 'foremark.db.lock')).size).toBe(0);
  unlock();
});
