import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { mirrorArchive } from '../../src/publish/mirror.ts';
import { prune } from '../../src/publish/prune.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import { verifyArchive } from '../../src/publish/verify.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { archiveOf, DAY, HOUR, publishTexts, texts } from './generation-steps.ts';
import { memorySink } from './memory-sink.ts';

const keepFew = { now: DAY + 30 * HOUR, keepGenerations: 2, keepDays: 0, dryRun: false };
const key = (n: number) => `api/v1/public/d${n}.json`;
const long = (n: number) => texts(4, (i) => `${i} ${n} `.repeat(i === 0 ? 1 : 600));

test('a prune that begins while the archive is verified, at any request, causes no problem', async () => {
  const prepared = await archiveOf(6);
  const whole = memorySink(1, new Map(prepared.objects));
  await verifyArchive(whole);
  for (let at = 0; at < whole.requests; at += at < 60 || at > 590 ? 1 : 53) {
    const sink = memorySink(1, new Map(prepared.objects));
    const reader = memorySink(1, sink.objects);
    reader.before = async (request) => {
      if (request === at) await prune({ sink, ...keepFew });
    };
    expect((await verifyArchive(reader)).problems, `request ${at}`).toEqual([]);
  }
});

test('what a kept generation lost is a problem even while a prune runs', async () => {
  const sink = await archiveOf(6);
  const lost = [...sink.objects.keys()].find((each) => each.startsWith('archive/shards/')) ?? '';
  const reader = memorySink(1, sink.objects);
  reader.before = async (request) => {
    if (request !== 3) return;
    await prune({ sink, ...keepFew });
    const [newest = lost] = [...sink.objects.keys()].filter((each) => each.startsWith('archive/shards/'));
    sink.objects.delete(newest);
  };
  expect((await verifyArchive(reader)).problems).toHaveLength(1);
});

test('what no generation names is listed, is no problem, and goes with a prune', async () => {
  const sink = await archiveOf(2);
  const named = new Set(sink.objects.keys());
  expect((await verifyArchive(sink)).unnamed).toEqual([]);
  sink.before = (_request, each) => {
    if (each === 'archive/pointer.json' && sink.objects.size > named.size) throw new Error('killed');
  };
  await expect(publishTexts(sink, long(1), { now: DAY + 3 * HOUR })).rejects.toThrow('killed');
  sink.before = undefined;
  const unnamed = [...sink.objects.keys()].filter((each) => !named.has(each)).sort();
  expect(unnamed.map((each) => each.split('/')[1])).toEqual(
    expect.arrayContaining(['objects', 'shards', 'generations']),
  );
  const { problems, unnamed: found = [] } = await verifyArchive(sink);
  expect({ problems, unnamed: found.sort() }).toEqual({ problems: [], unnamed });
  expect(await prune({ sink, ...keepFew })).toMatchObject({ objects_removed: unnamed.length });
  expect((await verifyArchive(sink)).unnamed).toEqual([]);
});

test('unnamed objects are listed only where that is certain', async () => {
  const damaged = await archiveOf(3);
  const [shard = ''] = [...damaged.objects.keys()].filter((each) => each.startsWith('archive/shards/'));
  damaged.objects.delete(shard);
  expect(await verifyArchive(damaged)).toMatchObject({ problems: [expect.stringContaining(shard)] });
  expect(await verifyArchive(damaged)).not.toHaveProperty('unnamed');
  const sink = await archiveOf(2);
  const reader = memorySink(1, sink.objects);
  reader.before = async (_request, each) => {
    if (each !== 'archive/objects/') return;
    reader.before = undefined;
    await publishTexts(sink, long(1), { now: DAY + 3 * HOUR });
  };
  expect(await verifyArchive(reader)).not.toHaveProperty('unnamed');
});

test('a publish that comes in between, complete or half done, is only reported as under way', async () => {
  const prepared = memorySink();
  await publishTexts(prepared, long(1), { variants: ['gz'] });
  const whole = memorySink(1, new Map(prepared.objects));
  await verifyArchive(whole);
  const [changed = '', added = ''] = [long(2)[key(2)], long(9)[key(3)]];
  const next = { ...texts(2, () => 'short now'), [key(2)]: changed, [key(9)]: added };
  for (let at = 0; at < whole.requests; at++) {
    const sink = memorySink(1, new Map(prepared.objects));
    const reader = memorySink(1, sink.objects);
    reader.before = async (request) => {
      if (request === at) await publishTexts(sink, next, { now: DAY + HOUR, variants: ['gz'] });
    };
    const { problems, tree_documents } = await verifyArchive(reader);
    expect({ problems, tree_documents }, `request ${at}`).toEqual({
      problems: [],
      tree_documents: expect.any(Number),
    });
  }
  whole.before = async (_request, each) => {
    if (each === key(1)) throw new Error('killed');
  };
  await expect(publishTexts(whole, next, { now: DAY + HOUR, variants: ['gz'] })).rejects.toThrow('killed');
  whole.before = undefined;
  const half = await verifyArchive(whole);
  expect(half.problems).toEqual([
    'the live tree is that of generation 1: a publish is under way, or the next one will finish it',
  ]);
  expect(half.tree_documents).toBeUndefined();
});

test('precompressed variants match their documents, and nothing else is in the tree', async () => {
  const sink = memorySink();
  await publishTexts(sink, long(1), { variants: ['gz', 'br'] });
  expect(await verifyArchive(sink)).toMatchObject({ problems: [], tree_documents: 4 });
  // Of a folder, where a document is a second name of its object, they are files too.
  const place = folderSink(temporaryFolder());
  await publishTexts(place, long(1), { variants: ['gz', 'br'] });
  expect(await verifyArchive(place)).toMatchObject({ problems: [], tree_documents: 4 });
  const document = sink.objects.get(key(1)) ?? Buffer.alloc(0);
  sink.objects.set(`${key(1)}.gz`, gzipSync(Buffer.from('old')));
  sink.objects.set(`${key(1)}.br`, brotliCompressSync(document).subarray(1));
  sink.objects.delete(`${key(2)}.br`);
  sink.objects.set(`${key(0)}.gz`, gzipSync(sink.objects.get(key(0)) ?? ''));
  sink.objects.delete(key(3));
  for (const stray of ['bulk/withdrawn.csv', 'cards/withdrawn.svg', 'explorer/withdrawn.js'])
    sink.objects.set(stray, Buffer.from('a'));
  const { problems } = await verifyArchive(sink);
  expect(problems.sort()).toEqual([
    `${key(0)}.gz of the live tree belongs to no document`,
    `${key(1)}.br of the live tree does not hold what ${key(1)} does`,
    `${key(1)}.gz of the live tree does not hold what ${key(1)} does`,
    `${key(2)}.br is missing from the live tree`,
    `${key(3)} is missing from the live tree`,
    'bulk/withdrawn.csv of the live tree belongs to no document',
    'cards/withdrawn.svg of the live tree belongs to no document',
    'explorer/withdrawn.js of the live tree belongs to no document',
  ]);
  sink.objects.delete('publication.json');
  const again = await publishTexts(sink, long(1), { now: DAY + HOUR, variants: ['gz', 'br'] });
  expect(again).toMatchObject({ generation: 1, finished_before: true });
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test('what is compressed already has no precompressed variants', async () => {
  const sink = memorySink();
  const keys = ['bulk/marks.parquet', 'cards/indices/A.png', 'cards/indices/A.svg'];
  await publishTexts(sink, Object.fromEntries(keys.map((each) => [each, 'x'.repeat(2_000)])), {
    variants: ['gz'],
  });
  const there = [...sink.objects.keys()].filter((each) => /^(bulk|cards)\//.test(each));
  expect(there.sort()).toEqual([...keys, 'cards/indices/A.svg.gz']);
});

test('a wrong publication.json is reported, and that without it the contents of the live tree are unknown', async () => {
  const sink = memorySink();
  await publishTexts(sink, long(1), { label: 'simulated' });
  const whole = String(sink.objects.get('publication.json'));
  const problemsAfter = async (said: string | undefined) => {
    if (said === undefined) sink.objects.delete('publication.json');
    else sink.objects.set('publication.json', Buffer.from(said));
    return (await verifyArchive(sink)).problems;
  };
  for (const [name, said] of Object.entries({
    as_of: '2020-01-01T00:00:00Z',
    label: '',
    documents: 9,
    generation: 7,
  }))
    expect(await problemsAfter(JSON.stringify({ ...JSON.parse(whole), [name]: said }))).toEqual([
      `publication.json has another ${name} than its generation: ${said}`,
    ]);
  for (const said of [undefined, whole.slice(1)])
    expect(await problemsAfter(said)).toEqual([expect.stringContaining('publication.json is missing')]);
  expect(await problemsAfter(whole)).toEqual([]);
  const copy = memorySink();
  await mirrorArchive(sink, copy);
  expect((await verifyArchive(copy)).problems).toEqual([]);
});
