import { expect, test } from 'vitest';
import { shardCache } from '../../../src/publish/archive/shard-cache.ts';
import { verifyArchive } from '../../../src/publish/verify.ts';
import { SHARDS } from '../../../src/store/archive/archive.ts';
import { DAY, publishTexts, texts } from '../generation-steps.ts';
import { keysOf } from '../keys-of.ts';
import { type MemorySink, memorySink } from '../memory-sink.ts';

/** Publishes documents, through a cache where one is given. @returns the shards that were read from the sink itself */
async function publishTo(
  sink: MemorySink,
  count: number,
  step: number,
  near?: MemorySink,
): Promise<string[]> {
  const read: string[] = [];
  sink.before = (_request, key) => {
    if (key.startsWith(SHARDS) && sink.objects.has(key)) read.push(key);
  };
  const shards = near && shardCache(near);
  const say = (i: number) => (i % 50 === step ? `step ${step}` : 'one');
  await publishTexts(sink, texts(count, say), { now: DAY + step, ...(shards ? { shards } : {}) });
  await shards?.dropOthers();
  sink.before = undefined;
  return read;
}

/** From one shard to two and back, with changes and without. */
const STEPS = [600, 600, 3_000, 3_000, 300, 300];

test('with cached shards a publish reads none from the sink, and writes the same', async () => {
  const [plain, sink, near] = [memorySink(), memorySink(4), memorySink()];
  for (const [step, count] of STEPS.entries()) {
    await publishTo(plain, count, step);
    expect(await publishTo(sink, count, step, near)).toEqual([]);
    expect(sink.objects).toEqual(plain.objects);
  }
  expect((await verifyArchive(sink)).problems).toEqual([]);
});

test('a shard that is missing from the cache, or has another digest, is read from the sink and cached', async () => {
  const [sink, near] = [memorySink(), memorySink()];
  await publishTo(sink, 1_500, 0);
  const standing = await keysOf(sink, SHARDS);
  expect(standing.length).toBeGreaterThan(1);
  expect((await publishTo(sink, 1_500, 0, near)).sort()).toEqual(standing);
  const [damaged = '', missing = ''] = standing;
  near.objects.set(damaged, Buffer.from('{}'));
  near.objects.delete(missing);
  expect((await publishTo(sink, 1_500, 0, near)).sort()).toEqual([damaged, missing].sort());
  expect(await publishTo(sink, 1_500, 0, near)).toEqual([]);
});

test('shards of past generations leave the cache', async () => {
  const [sink, near] = [memorySink(), memorySink()];
  for (const [step, count] of STEPS.entries()) await publishTo(sink, count, step, near);
  await publishTo(sink, STEPS.at(-1) ?? 0, STEPS.length - 1, near);
  const all = await keysOf(sink, SHARDS);
  const kept = await keysOf(near, '');
  expect(kept.length).toBeLessThan(all.length);
  expect(all).toEqual(expect.arrayContaining(kept));
});
