import { expect, test } from 'vitest';
import { mirrorArchive } from '../../src/publish/mirror.ts';
import { prune } from '../../src/publish/prune.ts';
import { rollback } from '../../src/publish/rollback.ts';
import { verifyArchive } from '../../src/publish/verify.ts';
import { findDocumentAt, readPointer } from '../../src/store/archive/archive-reads.ts';
import { archiveOf, DAY, followPointer, HOUR, publishTexts, texts, treeOf } from './generation-steps.ts';
import { type MemorySink, memorySink } from './memory-sink.ts';

const OBJECTS = 'archive/objects/';
const D0 = 'api/v1/public/d0.json';
const D3 = 'api/v1/public/d3.json';
const options = { now: DAY + 20 * HOUR, keepGenerations: 2, keepDays: 0, dryRun: false };

const keysUnder = (sink: MemorySink, prefix: string) =>
  [...sink.objects.keys()].filter((key) => key.startsWith(prefix)).sort();

test('a publish is fenced by a prune that began after it, even a prune that removes nothing', async () => {
  const sink = await archiveOf(3);
  const keepAll = { ...options, keepGenerations: 9 };
  await prune({ sink, ...keepAll });
  const slow = memorySink(1, sink.objects);
  slow.before = async (_request, key) => {
    if (keysUnder(sink, OBJECTS).length < 300) return;
    slow.before = undefined;
    expect(key).toContain('archive/');
    expect(await prune({ sink, ...keepAll })).toMatchObject({ generations_removed: 0 });
  };
  const late = publishTexts(
    slow,
    texts(600, (i) => `late ${i}`),
    { now: options.now },
  );
  await expect(late).rejects.toMatchObject({ code: 'publication_superseded' });
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test.each(['archive/pointer.json', 'archive/generations/', 'archive/shards/', 'archive/objects/'])(
  'a document that a prune removes after %s was read counts as not kept, not as damage',
  async (read) => {
    const sink = await archiveOf(6);
    const reader = memorySink(1, sink.objects);
    reader.after = async (_request, key) => {
      if (!key.startsWith(read)) return;
      reader.after = undefined;
      await prune({ sink, ...options });
    };
    const found = await findDocumentAt(reader, D0, DAY + 2 * HOUR);
    expect(found?.generation).toBe(read === 'archive/objects/' ? 2 : undefined);
  },
);

test('a generation that a prune began to remove is visible to nobody, however much of it is left', async () => {
  const sink = await archiveOf(6);
  sink.before = (_request, keys) => {
    const [first = ''] = keys.split(',');
    if (!keys.includes(',')) return;
    sink.objects.delete(first);
    throw new Error('killed');
  };
  await expect(prune({ sink, ...options })).rejects.toThrow('killed');
  sink.before = undefined;
  expect(await readPointer(sink)).toMatchObject({ oldest: 5, pruning: true });
  expect(keysUnder(sink, 'archive/generations/')).toHaveLength(6);
  for (const generation of [1, 2, 3, 4]) {
    expect(await findDocumentAt(sink, D0, DAY + generation * HOUR)).toBeUndefined();
    const undone = rollback(generation, { sink, now: DAY + 21 * HOUR, variants: [] });
    await expect(undone).rejects.toMatchObject({ code: 'not_found' });
  }
});

test.each(['missing', 'cut short', 'changed'])(
  'a record that is %s is reported, and nothing is removed',
  async (how) => {
    const sink = await archiveOf(5);
    const [key = ''] = keysUnder(sink, 'archive/generations/0000000003');
    const text = sink.objects.get(key)?.toString() ?? '';
    if (how === 'missing') sink.objects.delete(key);
    else
      sink.objects.set(
        key,
        Buffer.from(how === 'changed' ? text.replace('"generation":2', '"generation":1') : text.slice(9)),
      );
    const said = `${key} ${how === 'missing' ? 'is missing' : 'does not match its digest'}`;
    const before = new Map(sink.objects);
    expect((await verifyArchive(sink)).problems).toEqual([said]);
    const damaged = { code: 'archive_damaged', message: said };
    await expect(prune({ sink, ...options, keepGenerations: 9 })).rejects.toMatchObject(damaged);
    await expect(mirrorArchive(sink, memorySink())).rejects.toMatchObject(damaged);
    expect(sink.objects).toEqual(before);
  },
);

test('a damaged shard of several generations is reported once', async () => {
  const sink = await archiveOf(3);
  for (const key of keysUnder(sink, 'archive/shards/')) sink.objects.set(key, Buffer.from('{}'));
  const { problems } = await verifyArchive(sink);
  expect(problems).toHaveLength(keysUnder(sink, 'archive/shards/').length);
});

test('bytes other than those published are never answered, copied or restored', async () => {
  const sink = await archiveOf(3);
  const whole = new Map(sink.objects);
  for (const key of keysUnder(sink, OBJECTS)) sink.objects.set(key, Buffer.from('{"d":"no"}'));
  const damaged = { code: 'archive_damaged' };
  for (const hours of [1, 2])
    await expect(findDocumentAt(sink, D0, DAY + hours * HOUR)).rejects.toMatchObject(damaged);
  const mirror = memorySink();
  await expect(mirrorArchive(sink, mirror)).rejects.toMatchObject(damaged);
  expect(keysUnder(mirror, OBJECTS)).toEqual([]);
  const back = rollback(1, { sink, now: DAY + 9 * HOUR, variants: [] });
  await expect(back).rejects.toMatchObject(damaged);
  expect(sink.objects.get(D0)).toEqual(whole.get(D0));
  expect(sink.objects.get('archive/pointer.json')).toEqual(whole.get('archive/pointer.json'));
  for (const [key, body] of whole) if (key.startsWith(OBJECTS)) sink.objects.set(key, body);
  await mirrorArchive(sink, mirror);
  expect((await verifyArchive(mirror)).problems).toEqual([]);
});

test('a mirror that a prune overtakes asks to be run again', async () => {
  const sink = await archiveOf(6);
  const from = memorySink(1, sink.objects);
  from.before = async (_request, key) => {
    if (!key.startsWith(OBJECTS)) return;
    from.before = undefined;
    await prune({ sink, ...options });
  };
  const mirror = memorySink();
  await expect(mirrorArchive(from, mirror)).rejects.toMatchObject({ code: 'publication_superseded' });
  await mirrorArchive(from, mirror);
  expect(await verifyArchive(mirror)).toMatchObject({ generations: 2, problems: [] });
});

test.each(['archive/shards/', 'archive/generations/'])(
  'a tree is completed even where the archive lost its earlier contents: %s',
  async (lost) => {
    const sink = memorySink();
    await publishTexts(
      sink,
      texts(9, () => 'first'),
    );
    const [before = ''] = keysUnder(sink, lost);
    const second = texts(9, () => 'second');
    sink.before = (_request, key) => {
      if (key === D0) throw new Error('killed');
    };
    await expect(publishTexts(sink, second, { now: DAY + HOUR })).rejects.toThrow('killed');
    sink.before = undefined;
    sink.objects.set(before, Buffer.from('{}'));
    await publishTexts(sink, second, { now: DAY + 2 * HOUR });
    expect(treeOf(sink)).toEqual(second);
  },
);

test('a publish that another one overtakes at any request leaves the tree as the newest generation has it', async () => {
  const prepared = memorySink();
  const first = texts(4, () => 'first');
  await publishTexts(prepared, first);
  // The one that is overtaken withdraws a document that the other one keeps.
  const older = texts(3, () => 'older');
  const newer = { ...texts(3, () => 'newer'), [D3]: first[D3] ?? '' };
  const whole = memorySink(1, new Map(prepared.objects));
  await publishTexts(whole, older, { now: DAY + HOUR });
  for (let at = 0; at < whole.requests; at++) {
    const sink = memorySink(1, new Map(prepared.objects));
    const other = memorySink(1, sink.objects);
    sink.before = async (request) => {
      if (request === at) await publishTexts(other, newer, { now: DAY + HOUR });
    };
    await publishTexts(sink, older, { now: DAY + HOUR }).catch((thrown) =>
      expect(thrown.code).toBe('publication_superseded'),
    );
    expect(treeOf(sink), `request ${at}`).toEqual(await followPointer(sink.objects));
  }
});

test('a publish that is overtaken while it writes the tree removes nothing that the newest generation keeps', async () => {
  const sink = memorySink();
  const first = texts(4, () => 'first');
  await publishTexts(sink, first);
  const other = memorySink(1, sink.objects);
  sink.before = async (_request, key) => {
    if (key !== D0) return;
    sink.before = undefined;
    await publishTexts(other, first, { now: DAY + HOUR });
  };
  sink.after = () => expect(sink.objects.has(D3)).toBe(true);
  const late = publishTexts(
    sink,
    texts(3, () => 'older'),
    { now: DAY + HOUR },
  );
  await expect(late).rejects.toMatchObject({ code: 'publication_superseded' });
});

test('a dry run says that it would finish the tree, and writes nothing', async () => {
  const sink = memorySink();
  await publishTexts(
    sink,
    texts(9, () => 'first'),
  );
  const second = texts(9, () => 'second');
  sink.before = (_request, key) => {
    if (key === D0) throw new Error('killed');
  };
  await expect(publishTexts(sink, second, { now: DAY + HOUR })).rejects.toThrow('killed');
  sink.before = undefined;
  const before = new Map(sink.objects);
  const trial = await publishTexts(sink, second, { now: DAY + 2 * HOUR, dryRun: true });
  expect(trial).toMatchObject({ finished_before: true });
  expect(sink.objects).toEqual(before);
});

test('a tree holds exactly the encodings that are configured now', async () => {
  const sink = memorySink(4);
  const say = (n: number) => texts(3, (i) => `${i} ${n} `.repeat(i === 0 ? 1 : 600));
  const tree = () => keysUnder(sink, 'api/').map((key) => key.replace('api/v1/public/', ''));
  const gz = ['d0.json', 'd1.json', 'd1.json.gz', 'd2.json', 'd2.json.gz'];
  await publishTexts(sink, say(1), { variants: ['gz'] });
  expect(tree()).toEqual(gz);
  const fewer = await publishTexts(sink, say(2), { now: DAY + HOUR });
  expect(fewer).toMatchObject({ written: 3, finished_before: true });
  expect(tree()).toEqual(['d0.json', 'd1.json', 'd2.json']);
  expect(await publishTexts(sink, say(2), { now: DAY + HOUR })).toMatchObject({ usage: { writes: 1 } });
  await publishTexts(sink, say(2), { now: DAY + HOUR, variants: ['br', 'gz'] });
  expect(tree()).toEqual([...gz, 'd1.json.br', 'd2.json.br'].sort());
  await rollback(1, { sink, now: DAY + 2 * HOUR, variants: ['gz'] });
  expect(tree()).toEqual(gz);
  await publishTexts(sink, say(1), { now: DAY + 3 * HOUR, variants: ['br'] });
  expect(tree()).toEqual(gz.map((key) => key.replace('.gz', '.br')));
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test('a change of encodings that was cut off and rolled back leaves no variant behind', async () => {
  const prepared = memorySink(4);
  const say = texts(3, (i) => `${i} `.repeat(600));
  await publishTexts(prepared, say, { variants: ['gz'] });
  const whole = memorySink(1, new Map(prepared.objects));
  await publishTexts(whole, say, { variants: ['gz', 'br'] });
  for (let at = 0; at < whole.requests; at++) {
    const sink = memorySink(1, new Map(prepared.objects));
    sink.before = (request) => {
      if (request >= at) throw new Error('killed');
    };
    await expect(publishTexts(sink, say, { variants: ['gz', 'br'] })).rejects.toThrow('killed');
    sink.before = undefined;
    await publishTexts(sink, say, { now: DAY + HOUR, variants: ['gz'] });
    expect((await verifyArchive(sink)).problems, `request ${at}`).toEqual([]);
  }
});

test('a document outside the listed folders keeps no stale variant, and is removed whole, wherever a publish is cut off', async () => {
  const prepared = memorySink(4);
  const outside = { 'index.html': 'page '.repeat(600), 'api/v1/openapi.json': 'interface '.repeat(600) };
  const documents = texts(2, (i) => `${i} `.repeat(600));
  await publishTexts(prepared, { ...documents, ...outside }, { variants: ['gz'] });
  prepared.objects.set('index.htm', Buffer.from('of somebody else'));
  const strays = memorySink(1, new Map(prepared.objects));
  strays.objects.set('index.html.br', Buffer.from('old'));
  expect((await verifyArchive(strays)).problems).toEqual([
    'index.html.br of the live tree belongs to no document',
  ]);
  const fewer = { now: DAY + HOUR };
  const whole = memorySink(1, new Map(prepared.objects));
  await publishTexts(whole, documents, fewer);
  for (let at = 0; at <= whole.requests; at++) {
    const sink = memorySink(1, new Map(prepared.objects));
    sink.before = (request) => {
      if (request >= at) throw new Error('killed');
    };
    await publishTexts(sink, documents, fewer).catch((thrown) => expect(String(thrown)).toContain('killed'));
    sink.before = undefined;
    await publishTexts(sink, documents, fewer);
    const left = [...sink.objects.keys()].filter((key) => !/^(archive|api\/v1\/public)\//.test(key));
    expect(left.sort(), `request ${at}`).toEqual(['index.htm', 'publication.json']);
  }
});

test('an archive that is begun anew removes what only the previous one published, and nothing of anyone else', async () => {
  const sink = memorySink(4);
  await publishTexts(sink, { ...texts(3, String), 'index.html': 'page' });
  sink.objects.set('robots.txt', Buffer.from('of somebody else'));
  sink.objects.delete('archive/pointer.json');
  await publishTexts(sink, { ...texts(2, (i) => `now ${i}`), 'index.html': 'page' }, { now: DAY + HOUR });
  expect(treeOf(sink)).toEqual(texts(2, (i) => `now ${i}`));
  expect((await verifyArchive(sink)).problems).toEqual([]);
  const place = memorySink(4, new Map([['bulk/theirs.csv', Buffer.from('of somebody else')]]));
  await publishTexts(place, texts(2, String));
  expect(keysUnder(place, 'bulk/')).toEqual(['bulk/theirs.csv']);
});
