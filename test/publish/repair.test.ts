import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestOf } from '../../src/publish/archive/digest.ts';
import { repairTree } from '../../src/publish/repair.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { verifyArchive } from '../../src/publish/verify.ts';
import { objectKey } from '../../src/store/archive/archive.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { DAY, followPointer, HOUR, publishTexts, texts, treeOf } from './generation-steps.ts';
import { Killed, memorySink } from './memory-sink.ts';

const key = (n: number) => `api/v1/public/d${n}.json`;
const later = { now: DAY + HOUR };

test('what the live tree does not hold as its generation does is restored, and no other document is written', async () => {
  const long = texts(9, (i) => `${i} `.repeat(i === 0 ? 1 : 600));
  const sink = memorySink(4);
  await publishTexts(sink, long, { variants: ['gz'] });
  const whole = new Map(sink.objects);
  sink.objects.set(key(1), Buffer.from('other'));
  sink.objects.delete(key(2));
  sink.objects.delete(`${key(3)}.gz`);
  sink.objects.set(`${key(4)}.gz`, Buffer.from('other'));
  const added = [`${key(0)}.gz`, `${key(5)}.br`, key(77), 'bulk/other.csv'];
  for (const each of added) sink.objects.set(each, Buffer.from('added'));
  const written: string[] = [];
  const counting = {
    ...sink,
    write: (each: string, body: Buffer) => {
      written.push(each);
      return sink.write(each, body);
    },
  };
  const report = await repairTree({ sink: counting, ...later, variants: ['gz'] });
  expect(report).toMatchObject({ generation: 1, finished_before: false, documents: 9 });
  expect(written.filter((each) => each.startsWith('api/')).toSorted()).toEqual([
    key(0),
    ...[1, 2, 3, 4].flatMap((n) => [key(n), `${key(n)}.gz`]),
  ]);
  sink.objects.delete('publication.json');
  whole.delete('publication.json');
  expect(sink.objects).toEqual(whole);
});

test('late writes of an overtaken publisher that was then killed are undone', async () => {
  const sink = memorySink();
  const newest = texts(9, (i) => `third ${i}`);
  await publishTexts(
    sink,
    texts(9, () => 'first'),
  );
  const slow = memorySink(1, sink.objects);
  slow.before = async (_request, each) => {
    if (each !== key(4)) return;
    slow.before = undefined;
    await publishTexts(sink, newest, { now: DAY + 2 * HOUR });
  };
  slow.after = (_request, each) => {
    if (each === key(4)) throw new Killed();
  };
  const overtaken = publishTexts(
    slow,
    texts(9, () => 'second'),
    later,
  );
  await expect(overtaken).rejects.toThrow(Killed);
  expect((await verifyArchive(sink)).problems).toEqual([
    `${key(4)} of the live tree differs from its generation`,
  ]);
  expect(await repairTree({ sink, now: DAY + 3 * HOUR, variants: [] })).toMatchObject({ written: 1 });
  expect(treeOf(sink)).toEqual(newest);
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test('a tree that was left behind is completed first, and what the archive lacks is not made up', async () => {
  const sink = memorySink();
  const second = texts(9, (i) => `second ${i}`);
  // A document outside of the folders that are listed is known from its generation alone.
  await publishTexts(sink, { ...texts(9, () => 'first'), 'index.html': 'first' });
  sink.before = (_request, each) => {
    if (each === key(4)) throw new Killed();
  };
  await expect(publishTexts(sink, second, later)).rejects.toThrow(Killed);
  sink.before = undefined;
  const report = await repairTree({ sink, now: DAY + 2 * HOUR, variants: [] });
  expect(report).toMatchObject({ finished_before: true, written: 0 });
  expect(treeOf(sink)).toEqual(second);
  expect(sink.objects.has('index.html')).toBe(false);
  expect(await followPointer(sink.objects)).toEqual(second);
  for (const each of [...sink.objects.keys()])
    if (each.startsWith('archive/objects/') || each === key(4)) sink.objects.delete(each);
  for (const [place, code] of [
    [sink, 'archive_damaged'],
    [memorySink(), 'not_found'],
  ] as const)
    await expect(repairTree({ sink: place, ...later, variants: [] })).rejects.toMatchObject({ code });
});

test('what the archive no longer holds intact is named, and all else is restored', async () => {
  const sink = memorySink();
  const written = texts(9, (i) => `text ${i}`);
  await publishTexts(sink, written);
  const damaged = [3, 5].map((n) => objectKey(digestOf(written[key(n)] as string)));
  sink.objects.set(damaged[0] as string, Buffer.from('other'));
  sink.objects.delete(damaged[1] as string);
  for (let n = 1; n < 9; n++) sink.objects.set(key(n), Buffer.from('other'));
  const repairing = repairTree({ sink, ...later, variants: [] });
  await expect(repairing).rejects.toMatchObject({ code: 'archive_damaged' });
  await expect(repairing).rejects.toThrow(
    /^2 of .*d[35]\.json \(archive.*(does not match its digest|is missing)\)$/,
  );
  expect(treeOf(sink)).toEqual({ ...written, [key(3)]: 'other', [key(5)]: 'other' });
});

test('an archive that somebody else has written cannot lead out of the folder that it is restored to', async () => {
  for (const key of ['../outside.json', 'api/../../outside.json', 'explorer/..']) {
    const theirs = memorySink();
    await publishTexts(theirs, { ...texts(9, () => 'a document'), [key]: 'a file of yours' });
    const folder = temporaryFolder();
    const sink = folderSink(join(folder, 'public'));
    for (const [each, body] of theirs.objects) if (each.startsWith('archive/')) await sink.write(each, body);
    await expect(repairTree({ sink, ...later, variants: [] }), key).rejects.toMatchObject({
      code: 'archive_damaged',
    });
    expect(existsSync(join(folder, 'outside.json'))).toBe(false);
    expect((await verifyArchive(sink)).problems, key).toEqual([
      expect.stringMatching(/^archive\/shards\/.* of the archive cannot be read$/),
    ]);
  }
});
