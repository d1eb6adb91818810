import { hash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mirrorArchive } from '../../src/publish/mirror.ts';
import { prune } from '../../src/publish/prune.ts';
import { rollback } from '../../src/publish/rollback.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import type { Variant } from '../../src/publish/tree/variants.ts';
import { verifyArchive } from '../../src/publish/verify.ts';
import { objectKey, POINTER_KEY } from '../../src/store/archive/archive.ts';
import { findDocumentAt, findGeneration, readPointer } from '../../src/store/archive/archive-reads.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import {
  archiveOf,
  DAY,
  followPointer,
  HOUR,
  publishTexts,
  type Texts,
  texts,
  treeOf,
} from './generation-steps.ts';
import { type MemorySink, memorySink } from './memory-sink.ts';

const folder = temporaryFolder();

describe('publishing', () => {
  test('names no generation whose record the sink does not give back as it was written', async () => {
    const sink = memorySink();
    const read = (key: string) =>
      key.startsWith('archive/generations/') ? Promise.resolve(undefined) : sink.read(key);
    const lost = publishTexts(
      { ...sink, read },
      texts(1, () => 'a'),
    );
    await expect(lost).rejects.toMatchObject({ code: 'sink_unavailable' });
    expect(await readPointer(sink)).toBeUndefined();
  });

  test('says so when the sink does not give back the pointer, and writes nothing to the tree', async () => {
    const sink = memorySink();
    const find = (key: string) => (key === POINTER_KEY ? Promise.resolve(undefined) : sink.find(key));
    const lost = publishTexts(
      { ...sink, find },
      texts(1, () => 'a'),
    );
    await expect(lost).rejects.toMatchObject({ code: 'sink_unavailable' });
    expect(treeOf(sink)).toEqual({});
  });

  test('a publish without a change moves nothing and records that it looked', async () => {
    const sink = await archiveOf(2);
    const before = new Map(sink.objects);
    const again = texts(600, (i) => (i === 0 ? 'generation 2' : 'same'));
    const looks = { ...sink, removeLeftovers: () => expect.unreachable() };
    const trial = await publishTexts(looks, again, { now: DAY + 9 * HOUR, dryRun: true });
    expect(trial).toMatchObject({ generation: 2, written: 0, usage: { writes: 1 } });
    expect(sink.objects).toEqual(before);
    const report = await publishTexts(sink, again, { now: DAY + 9 * HOUR });
    expect(report).toMatchObject({ generation: 2, written: 0, removed: 0, usage: { writes: 1 } });
    const changed = [...sink.objects].filter(([key, body]) => !before.get(key)?.equals(body));
    expect(changed.map(([key]) => key)).toEqual(['publication.json']);
    expect(JSON.parse(sink.objects.get('publication.json')?.toString() ?? '')).toMatchObject({
      generation: 2,
      as_of: '2026-11-02T02:00:00Z',
      checked_at: '2026-11-02T09:00:00Z',
    });
  });

  test('what is written grows with the change, not with the size of the publication', async () => {
    const sink = memorySink();
    const full = await publishTexts(
      sink,
      texts(20_000, (i) => `before ${i}`),
    );
    const one = texts(20_000, (i) => (i === 77 ? 'after' : `before ${i}`));
    const changed = await publishTexts(sink, one, { now: DAY + HOUR });
    expect(full.usage.writes).toBeGreaterThan(40_000);
    // Object, shard, record, pointer, document, publication.
    expect(changed.usage).toMatchObject({ writes: 6 });
    const stored = [...sink.objects.keys()].filter((key) => key.startsWith('archive/objects/'));
    expect(stored).toHaveLength(20_001);
  });

  test('a dry run says what a publish then does, and writes nothing', async () => {
    const sink = await archiveOf(1);
    const before = new Map(sink.objects);
    const wanted = texts(500, (i) => (i < 30 ? `new ${i % 10}` : 'same'));
    const ahead = await publishTexts(sink, wanted, { now: DAY + 2 * HOUR, dryRun: true });
    expect(sink.objects).toEqual(before);
    const done = await publishTexts(sink, wanted, { now: DAY + 2 * HOUR });
    expect(ahead).toMatchObject({ generation: 2, written: 30, removed: 100 });
    expect(ahead.usage.writes).toBe(done.usage.writes);
    expect({ ...ahead, usage: 0 }).toEqual({ ...done, usage: 0 });
    expect(ahead.usage.usd).toBeGreaterThan(0);
  });

  test.each<[string, (name: string) => Sink, Variant[]]>([
    ['a bucket', () => memorySink(), []],
    ['a bucket with compressed forms', () => memorySink(), ['gz']],
    ['a folder, where a document and its object are one file', (name) => folderSink(join(folder, name)), []],
  ])('a dry run predicts requests and bytes: %s', async (name, sinkOf, variants) => {
    const sink = sinkOf(name);
    // All bodies differ, and every other one is too short to be compressed.
    const say = (n: number) => texts(400, (i) => `${n} ${i}`.repeat(i % 2 === 0 ? 1 : 400));
    for (const [n, now] of [DAY, DAY + HOUR].entries()) {
      const ahead = await publishTexts(sink, say(n), { now, variants, dryRun: true });
      const { usage } = await publishTexts(sink, say(n), { now, variants });
      expect([ahead.usage.writes, ahead.usage.lists]).toEqual([usage.writes, usage.lists]);
      if (variants.length > 0) continue;
      // The rest is the record, the pointer and the record of the tree.
      expect(usage.bytes_written - ahead.usage.bytes_written).toBeGreaterThan(0);
      expect(usage.bytes_written - ahead.usage.bytes_written).toBeLessThan(3_000);
    }
  });

  test('counts each file once where none can be linked', async () => {
    const writesTo = async (sink: Sink) =>
      (
        await publishTexts(
          sink,
          texts(9, () => 'a'),
        )
      ).usage.writes;
    expect(await writesTo({ ...memorySink(), link: async () => false })).toBe(await writesTo(memorySink()));
  });

  test('a list of keys is valid JSON in their order, whatever characters they hold', async () => {
    const sink = memorySink();
    const keys = ['a"b\\c', 'a\u2028', 'a\u0007', 'é', '__proto__', 'Z'].map(
      (each) => `api/v1/public/${each}`,
    );
    const wanted = Object.fromEntries(keys.map((key) => [key, `{"is":${JSON.stringify(key)}}`]));
    await publishTexts(sink, wanted);
    expect(await followPointer(sink.objects)).toEqual(wanted);
    const [list] = [...sink.objects].filter(([key]) => key.startsWith('archive/shards/'));
    const text = list?.[1].toString() ?? '';
    expect(Object.keys(JSON.parse(text))).toEqual([...keys].sort());
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
  });

  test('a clock behind the last generation is refused', async () => {
    const sink = await archiveOf(3);
    const before = new Map(sink.objects);
    const refused = { code: 'publication_superseded' };
    await expect(publishTexts(sink, {}, { now: DAY })).rejects.toMatchObject(refused);
    expect(sink.objects).toEqual(before);
    // Also one that goes back while the publish is under way.
    const shown = [DAY + 4 * HOUR, DAY];
    const clock = () => shown.shift() ?? DAY;
    await expect(publishTexts(sink, {}, { now: DAY + 4 * HOUR, clock })).rejects.toMatchObject(refused);
    expect((await readPointer(sink))?.generation).toBe(3);
  });
});

describe('earlier generations', () => {
  test('a document as of any instant is the one served then, in few reads', async () => {
    const sink = await archiveOf(200);
    for (const n of [1, 2, 3, 64, 127, 128, 199, 200]) {
      sink.requests = 0;
      const found = await findDocumentAt(sink, 'api/v1/public/d0.json', DAY + n * HOUR + 1);
      expect(found?.body.toString()).toBe(`{"d":"generation ${n}"}`);
      expect(found).toMatchObject({ generation: n, as_of: DAY + n * HOUR });
      expect(sink.requests).toBeLessThan(24);
    }
    expect(await findDocumentAt(sink, 'api/v1/public/d0.json', DAY + HOUR - 1)).toBeUndefined();
    expect(await findDocumentAt(sink, 'api/v1/public/none.json', DAY + 9 * HOUR)).toBeUndefined();
    // One that was removed is none any more, which is no damage.
    await publishTexts(
      sink,
      texts(599, (i) => (i === 0 ? 'generation 200' : 'same')),
      { now: DAY + 201 * HOUR },
    );
    const removed = (hours: number) => findDocumentAt(sink, 'api/v1/public/d599.json', DAY + hours * HOUR);
    expect([(await removed(200))?.generation, await removed(201)]).toEqual([200, undefined]);
  });

  test('a rollback is a generation of its own; a second goes back further; a publish continues from there', async () => {
    const sink = await archiveOf(4);
    expect(await rollback(undefined, { sink, now: DAY + 5 * HOUR, variants: [] })).toMatchObject({
      generation: 5,
      restores: 3,
      written: 1,
    });
    // Also where the documents are already those.
    expect(await rollback(3, { sink, now: DAY + 5 * HOUR, variants: [] })).toMatchObject({
      generation: 6,
      written: 0,
    });
    expect(await rollback(undefined, { sink, now: DAY + 6 * HOUR, variants: [] })).toMatchObject({
      restores: 2,
    });
    expect(treeOf(sink)['api/v1/public/d0.json']).toBe('{"d":"generation 2"}');
    const bad = await findDocumentAt(sink, 'api/v1/public/d0.json', DAY + 4.5 * HOUR);
    expect(bad?.body.toString()).toBe('{"d":"generation 4"}');
    const again = await rollback(5, { sink, now: DAY + 6 * HOUR, variants: [] });
    expect(again).toMatchObject({ restores: 3 });
    expect(await findDocumentAt(sink, 'api/v1/public/d0.json', DAY + 6 * HOUR)).toMatchObject({
      generation: 8,
      as_of: DAY + 3 * HOUR,
    });
    const next = await publishTexts(
      sink,
      texts(600, () => 'same'),
      { now: DAY + 7 * HOUR },
    );
    expect(next).toMatchObject({ generation: 9, written: 1 });
    expect((await verifyArchive(sink)).problems).toEqual([]);
  });

  test('what was published under a fast clock is rolled back by number, and publishing continues', async () => {
    const sink = await archiveOf(3);
    const year = 365 * 24 * HOUR;
    const ahead = texts(500, (i) => (i < 400 ? 'ahead' : 'same'));
    ahead['api/v1/public/new.json'] = 'new';
    const options = { sink, now: DAY + 4 * HOUR, variants: [] };
    const refused = { code: 'publication_superseded', message: expect.stringContaining('--rollback') };
    for (const [hours, changes] of [{}, texts(1, () => 'later')].entries()) {
      const now = DAY + year + hours * HOUR;
      await publishTexts(sink, { ...ahead, ...changes }, { now });
      await expect(rollback(undefined, options)).rejects.toMatchObject(refused);
    }
    await expect(rollback(4, options)).rejects.toMatchObject(refused);
    const needed = objectKey(hash('sha256', '{"d":"generation 3"}'));
    const whole = new Map(sink.objects);
    sink.objects.delete(needed);
    const damaged = new Map(sink.objects);
    for (const now of [options.now, DAY + 2 * year]) {
      const undone = rollback(3, { ...options, now });
      await expect(undone).rejects.toMatchObject({ code: 'archive_damaged' });
      expect(sink.objects).toEqual(damaged);
    }
    for (const [key, body] of whole) sink.objects.set(key, body);
    const { sha256: instead_of } = (await readPointer(sink)) ?? {};
    expect(await rollback(3, options)).toMatchObject({
      generation: 3,
      restores: 3,
      written: 500,
      removed: 1,
    });
    expect(await readPointer(sink)).toMatchObject({ generation: 3, instead_of });
    const wanted = texts(600, (i) => (i === 0 ? 'generation 3' : 'same'));
    expect(treeOf(sink)).toEqual(wanted);
    expect(await followPointer(sink.objects)).toEqual(wanted);
    expect((await verifyArchive(sink)).problems).toEqual([]);
    const next = await publishTexts(sink, { ...wanted, ...texts(1, () => 'next') }, options);
    expect(next).toMatchObject({ generation: 4, written: 1, finished_before: false });
    await prune({ sink, now: DAY + 20 * HOUR, keepGenerations: 9, keepDays: 0, dryRun: false });
    expect((await verifyArchive(sink)).problems).toEqual([]);
    const served = await findDocumentAt(sink, 'api/v1/public/d1.json', DAY + 2 * year);
    expect(served?.body.toString()).toBe('{"d":"same"}');
  });

  test.each([
    ['published again', DAY + 5 * HOUR],
    ['taken back to', DAY + 2.5 * HOUR],
  ])('a generation that shows a series made private since is not %s', async (_way, now) => {
    const sink = await archiveOf(3);
    const before = new Map(sink.objects);
    const closed = new Map([['api/v1/public/d1.json', 'desk']]);
    const undone = rollback(2, { sink, now, variants: [], closed });
    await expect(undone).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('api/v1/public/d1.json, which only desk may read'),
    });
    expect(sink.objects).toEqual(before);
    const other = new Map([['api/v1/public/none.json', 'desk']]);
    expect(await rollback(2, { sink, now, variants: [], closed: other })).toMatchObject({ restores: 2 });
  });

  test('a rollback undoes no generation that another publisher adds meanwhile', async () => {
    const prepared = memorySink();
    const say = (what: string) => texts(3, (i) => `${what} ${i}`);
    for (const [hour, what] of ['first', 'second', 'third'].entries())
      await publishTexts(prepared, say(what), { now: DAY + hour * HOUR });
    for (let at = 1, isOver = false; !isOver; at++) {
      const sink = memorySink(1, new Map(prepared.objects));
      const other = memorySink(1, sink.objects);
      sink.before = async (request) => {
        if (request === at) await publishTexts(other, say('newest'), { now: DAY + 4 * HOUR });
      };
      await rollback(undefined, { sink, now: DAY + 4 * HOUR, variants: [] }).catch((thrown) =>
        expect(thrown.code).toBe('publication_superseded'),
      );
      isOver = sink.requests <= at;
      expect(await followPointer(sink.objects), `request ${at}`).toEqual(say(isOver ? 'second' : 'newest'));
    }
  });

  test('a generation names the store that it is of, also where it is restored, or another takes it over as it is', async () => {
    const sink = memorySink();
    const [one, two] = ['one', 'two'].map((text) => texts(1, () => text)) as [Texts, Texts];
    const owner = async () => {
      const { generation, first_run_at } = (await findGeneration(sink, () => true))?.record ?? {};
      return { generation, first_run_at };
    };
    await publishTexts(sink, one, { first_run_at: HOUR });
    await publishTexts(sink, two, { now: DAY + HOUR, first_run_at: HOUR });
    await rollback(1, { sink, now: DAY + 2 * HOUR, variants: [] });
    expect(await owner()).toEqual({ generation: 3, first_run_at: HOUR });
    await publishTexts(sink, one, { now: DAY + 3 * HOUR, first_run_at: 2 * HOUR });
    expect(await owner()).toEqual({ generation: 4, first_run_at: 2 * HOUR });
  });

  test('there is nothing before the first generation, even after a rollback to it', async () => {
    const sink = await archiveOf(2);
    const back = (hours: number) => rollback(undefined, { sink, now: DAY + hours * HOUR, variants: [] });
    expect(await back(5)).toMatchObject({ restores: 1 });
    await expect(back(6)).rejects.toThrow('holds no generation before 1');
  });

  test.each([0, 4, 9])('a rollback to generation %i of four is refused', async (to) => {
    const sink = await archiveOf(4);
    const undone = rollback(to, { sink, now: DAY + 5 * HOUR, variants: [] });
    const message = `generation to go back to must be 1 to 3, got ${to}`;
    await expect(undone).rejects.toMatchObject({ code: 'not_found', message });
  });

  test('a rollback by number is refused where there is only one generation', async () => {
    const sink = await archiveOf(1);
    const undone = rollback(9, { sink, now: DAY + 5 * HOUR, variants: [] });
    await expect(undone).rejects.toThrow('holds no generation before 1');
  });
});

describe('verify', () => {
  test('names each object that is missing or has other bytes, in archive and tree', async () => {
    const sink = await archiveOf(3);
    const first = await findGeneration(sink, (ref) => ref.generation <= 1);
    const keys = [...sink.objects.keys()];
    const object = keys.filter((key) => key.startsWith('archive/objects/'));
    const [damaged = '', missing = ''] = object;
    sink.objects.set(damaged, Buffer.from('other'));
    sink.objects.delete(missing);
    sink.objects.set('api/v1/public/d5.json', Buffer.from('stale'));
    const { problems } = await verifyArchive(sink);
    expect(problems.sort()).toEqual(
      [
        `${damaged} does not match its digest`,
        `${missing} is missing`,
        'api/v1/public/d5.json of the live tree differs from its generation',
      ].sort(),
    );
    expect(first?.record.documents).toBe(600);
  });

  test('reports an archive that lost the record of a kept generation', async () => {
    const sink = await archiveOf(3);
    const record = [...sink.objects.keys()].find((key) => key.startsWith('archive/generations/0000000001'));
    sink.objects.delete(record ?? '');
    const report = await verifyArchive(sink);
    expect(report.problems).toEqual([`${record} is missing`]);
    // What that generation alone names is not known, so nothing is said to be unnamed.
    expect(report).not.toHaveProperty('unnamed');
  });

  test('finds it a problem that nothing was published', async () => {
    expect((await verifyArchive(memorySink())).problems).toEqual([
      'there is no pointer: nothing was published here',
    ]);
  });
});

describe('prune', () => {
  const options = { keepGenerations: 0, keepDays: 0, dryRun: false };

  test('keeps what is asked, never fewer than two, and what is kept stays whole', async () => {
    const sink = await archiveOf(10);
    const trial = await prune({ sink, now: DAY + 20 * HOUR, ...options, keepGenerations: 4, dryRun: true });
    expect(trial).toMatchObject({ generations_kept: 4, generations_removed: 6 });
    expect((await readPointer(sink))?.oldest).toBe(1);
    const report = await prune({ sink, now: DAY + 20 * HOUR, ...options, keepGenerations: 4 });
    expect(report).toEqual(trial);
    expect((await verifyArchive(sink)).problems).toEqual([]);
    expect(await findDocumentAt(sink, 'api/v1/public/d0.json', DAY + 6 * HOUR)).toBeUndefined();
    expect((await findDocumentAt(sink, 'api/v1/public/d0.json', DAY + 7 * HOUR))?.generation).toBe(7);
    await prune({ sink, now: DAY + 40 * HOUR, ...options });
    expect(await readPointer(sink)).toMatchObject({ generation: 10, oldest: 9 });
    expect((await verifyArchive(sink)).problems).toEqual([]);
    const objects = [...sink.objects.keys()].filter((key) => key.startsWith('archive/objects/'));
    // The two generations, and the shard from before their changes.
    expect(objects).toHaveLength(4);
  });

  test('keeps what was current within the hour, whatever is asked', async () => {
    const sink = await archiveOf(10);
    await prune({ sink, now: DAY + 10 * HOUR, ...options });
    expect(await readPointer(sink)).toMatchObject({ oldest: 8 });
    await prune({ sink, now: DAY + 10 * HOUR + 1, ...options });
    expect(await readPointer(sink)).toMatchObject({ oldest: 9 });
    await prune({ sink, now: DAY + 10 * HOUR, ...options, keepDays: 1 });
    expect(await readPointer(sink)).toMatchObject({ oldest: 9 });
  });

  test('counts its days from the newest generation, whatever year its clock shows', async () => {
    const sink = await archiveOf(10);
    const years = { now: 1000 * DAY, ...options };
    expect(await prune({ sink, ...years, keepDays: 1 })).toMatchObject({ generations_removed: 0 });
    expect(await prune({ sink, ...years })).toMatchObject({ generations_kept: 2 });
    const ahead = await archiveOf(3);
    await publishTexts(
      ahead,
      texts(1, () => 'ahead'),
      { now: DAY + 9_999 * HOUR },
    );
    const soon = { now: DAY + 5 * HOUR, ...options, keepDays: 1 };
    expect(await prune({ sink: ahead, ...soon })).toMatchObject({ generations_removed: 0 });
  });

  test('when two run at once, the overtaken one says so and reports no damage', async () => {
    const sink = await archiveOf(5);
    const slow = memorySink(1, sink.objects);
    slow.before = async (request) => {
      if (request === 3) await prune({ sink, now: DAY + 20 * HOUR, ...options });
    };
    const overtaken = prune({ sink: slow, now: DAY + 20 * HOUR, ...options, keepGenerations: 5 });
    await expect(overtaken).rejects.toMatchObject({ code: 'publication_superseded' });
    expect((await verifyArchive(sink)).problems).toEqual([]);
  });

  test('removes while it lists, so that no archive has too many keys for it', async () => {
    const sink = await archiveOf(2);
    for (let i = 0; i < 3_000; i++)
      sink.objects.set(objectKey(hash('sha256', `waste ${i}`)), Buffer.from('waste'));
    let listed = 0;
    const listedBefore: number[] = [];
    const watched: Sink = {
      ...sink,
      async *list(prefix) {
        for await (const key of sink.list(prefix)) {
          listed++;
          yield key;
        }
      },
      remove(...keys) {
        listedBefore.push(listed);
        return sink.remove(...keys);
      },
    };
    const all = { now: DAY + 20 * HOUR, keepGenerations: 2, keepDays: 0 };
    expect(await prune({ sink, ...all, dryRun: true })).toMatchObject({ objects_removed: 3_000 });
    expect(await prune({ sink: watched, ...all, dryRun: false })).toMatchObject({ objects_removed: 3_000 });
    expect(listedBefore).toHaveLength(3);
    expect(listedBefore[0]).toBeLessThan(2_000);
    expect((await verifyArchive(sink)).unnamed).toEqual([]);
  });

  test('when killed at any request, leaves every kept generation whole for the next publish and prune', async () => {
    const prepared = await archiveOf(5);
    const run = memorySink(1, new Map(prepared.objects));
    await prune({ sink: run, now: DAY + 20 * HOUR, ...options });
    for (let at = 0; at < run.requests; at++) {
      const sink = memorySink(1, new Map(prepared.objects));
      sink.after = (request) => {
        if (request >= at) throw new Error('killed');
      };
      await expect(prune({ sink, now: DAY + 20 * HOUR, ...options })).rejects.toThrow('killed');
      sink.after = undefined;
      expect((await verifyArchive(sink)).problems).toEqual([]);
      await publishTexts(
        sink,
        texts(600, (i) => `next ${i}`),
        { now: DAY + 21 * HOUR },
      );
      await prune({ sink, now: DAY + 40 * HOUR, ...options });
      expect((await verifyArchive(sink)).problems).toEqual([]);
      expect(await readPointer(sink)).toMatchObject({ generation: 6, oldest: 5 });
    }
  });

  test('fences a publish that began before it, and stops at a newer publish', async () => {
    const sink = await archiveOf(5);
    const slow = memorySink(1, sink.objects);
    slow.before = async (request) => {
      if (request === 8) await prune({ sink, now: DAY + 20 * HOUR, ...options });
    };
    const late = publishTexts(
      slow,
      texts(600, (i) => (i < 9 ? 'late' : 'same')),
      { now: DAY + 20 * HOUR },
    );
    await expect(late).rejects.toMatchObject({ code: 'publication_superseded' });
    expect((await verifyArchive(sink)).problems).toEqual([]);
    const pruning = memorySink(1, sink.objects);
    await publishTexts(
      sink,
      texts(600, () => 'more'),
      { now: DAY + 21 * HOUR },
    );
    pruning.before = async (request, key) => {
      if (request > 3 && key === 'archive/objects/') {
        pruning.before = undefined;
        await publishTexts(
          sink,
          texts(600, (i) => `after ${i}`),
          { now: DAY + 41 * HOUR },
        );
      }
    };
    const stopped = prune({ sink: pruning, now: DAY + 40 * HOUR, ...options });
    await expect(stopped).rejects.toMatchObject({ code: 'publication_superseded' });
    expect((await verifyArchive(sink)).problems).toEqual([]);
  });

  test('when overtaken, has its last removals finish before the publish writes', async () => {
    const sink = memorySink();
    const say = (what: string) => texts(20, (i) => `${what} ${i}`);
    for (const [hour, what] of ['first', 'second', 'third'].entries())
      await publishTexts(sink, say(what), { now: DAY + hour * HOUR });
    const back = say('first');
    const publisher = memorySink(4, sink.objects);
    let late: Promise<unknown> = Promise.resolve();
    let isGone = () => {};
    const gone = new Promise<void>((resolve) => {
      isGone = resolve;
    });
    // The removal reaches the bucket when the publish waits for it, or has ended.
    sink.before = async (_request, key) => {
      if (!key.startsWith('archive/objects/') || key === 'archive/objects/') return;
      sink.before = undefined;
      await new Promise<void>((resolve) => {
        publisher.removalsOver = () => {
          resolve();
          return gone;
        };
        late = publishTexts(publisher, back, { now: DAY + 41 * HOUR }).finally(resolve);
      });
      sink.after = () => isGone();
    };
    await expect(prune({ sink, now: DAY + 40 * HOUR, ...options })).rejects.toMatchObject({
      code: 'publication_superseded',
    });
    await late;
    expect(await followPointer(sink.objects)).toEqual(back);
  });

  const later = { now: DAY + 21 * HOUR };
  test.each<[string, (sink: MemorySink) => Promise<unknown>]>([
    ['prune', (sink) => prune({ sink, ...later, ...options })],
    ['publish', (sink) => publishTexts(sink, {}, later)],
    ['rollback', (sink) => rollback(undefined, { sink, ...later, variants: [] })],
    ['rollback from the future', (sink) => rollback(2, { sink, now: DAY + 2.5 * HOUR, variants: [] })],
  ])('when interrupted, has the removals that it began end before the next %s does', async (_, next) => {
    const sink = await archiveOf(3);
    sink.before = (_request, key) => {
      if (key === 'archive/objects/') throw new Error('killed');
    };
    await expect(prune({ sink, now: DAY + 20 * HOUR, ...options })).rejects.toThrow('killed');
    sink.before = undefined;
    const pointer = () => String(sink.objects.get('archive/pointer.json'));
    const interrupted = pointer();
    await publishTexts(sink, {}, { ...later, dryRun: true });
    expect(pointer()).toBe(interrupted);
    // Meanwhile the pointer is another, so that the interrupted one removes no more.
    let meanwhile = interrupted;
    sink.removalsOver = async () => {
      meanwhile = pointer();
    };
    await next(sink);
    expect(meanwhile).toContain('"pruning":true');
    expect(meanwhile).not.toBe(interrupted);
    expect(await readPointer(sink)).not.toHaveProperty('pruning');
  });

  test('makes a publish that it overtakes at any request say so, and report no damage', async () => {
    const prepared = await archiveOf(5);
    for (let at = 0, ended = ''; ended !== 'published'; at++) {
      const slow = memorySink(1, new Map(prepared.objects));
      const pruner = memorySink(1, slow.objects);
      slow.before = async (request) => {
        if (request === at) await prune({ sink: pruner, now: DAY + 20 * HOUR, ...options });
      };
      const late = texts(600, (i) => (i < 3 ? 'late' : 'same'));
      ended = await publishTexts(slow, late, { now: DAY + 20 * HOUR }).then(
        () => (slow.requests > at ? 'overtaken' : 'published'),
        (thrown) => thrown.code,
      );
      expect(['overtaken', 'published', 'publication_superseded']).toContain(ended);
      expect(Object.keys((await followPointer(slow.objects)) ?? {})).toHaveLength(600);
    }
  });
});

describe('mirror', () => {
  test('copies nothing from where nothing was published', async () => {
    const copied = mirrorArchive(memorySink(), memorySink());
    await expect(copied).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a copy answers the same, is checked offline, and grows only by what is new', async () => {
    const sink = await archiveOf(6);
    const mirror = folderSink(join(folder, 'mirror'));
    const all = await mirrorArchive(sink, mirror);
    const bodies = [...sink.objects].flatMap(([key, body]) => (/^archive\/.*\//.test(key) ? [body] : []));
    const bytes_copied = bodies.reduce((sum, body) => sum + body.byteLength, 0);
    expect(all).toMatchObject({ generation: 6, objects_copied: bodies.length, bytes_copied });
    const checked = await verifyArchive(mirror);
    expect(checked).toMatchObject({ generations: 6, problems: [] });
    const there = await findDocumentAt(mirror, 'api/v1/public/d0.json', DAY + 3 * HOUR);
    expect(there?.body.toString()).toBe('{"d":"generation 3"}');
    // One that is withdrawn has no object.
    await publishTexts(
      sink,
      texts(599, (i) => (i === 0 ? 'seven' : 'same')),
      { now: DAY + 8 * HOUR },
    );
    // Object, shard, record.
    expect(await mirrorArchive(sink, mirror)).toMatchObject({ generation: 7, objects_copied: 3 });
    expect((await verifyArchive(sink)).problems).toEqual([]);
  });

  test.each([
    ['a record or a list of keys by itself', /generations|shards/, false],
    ['a body when it is asked to repair', /objects/, true],
  ])('what a copy no longer holds intact is copied again: %s', async (_, what, repair) => {
    const sink = await archiveOf(3);
    const copy = memorySink();
    await mirrorArchive(sink, copy);
    const whole = new Map(copy.objects);
    const damaged = [...copy.objects.keys()].filter((key) => what.test(key));
    for (const [i, key] of damaged.entries())
      if (i === 0) copy.objects.delete(key);
      else copy.objects.set(key, Buffer.from('{}'));
    expect(await mirrorArchive(sink, copy, { repair })).toMatchObject({ objects_copied: damaged.length });
    expect(copy.objects).toEqual(whole);
    expect(await mirrorArchive(sink, copy, { repair })).toMatchObject({ objects_copied: 0 });
  });

  test('a mirror that was cut off is as whole as before, and is completed by the next', async () => {
    const sink = await archiveOf(3);
    const run = memorySink();
    await mirrorArchive(sink, run);
    for (let at = 0; at < run.requests; at++) {
      const mirror = memorySink();
      mirror.after = (request) => {
        if (request >= at) throw new Error('killed');
      };
      await expect(mirrorArchive(sink, mirror)).rejects.toThrow('killed');
      mirror.after = undefined;
      await followPointer(mirror.objects);
      await mirrorArchive(sink, mirror);
      expect(await followPointer(mirror.objects)).toEqual(await followPointer(sink.objects));
    }
    expect(run.objects.has(objectKey('0'.repeat(64)))).toBe(false);
  });
});
