import { expect, test } from 'vitest';
import { rollback } from '../../src/publish/rollback.ts';
import { verifyArchive } from '../../src/publish/verify.ts';
import { DAY, followPointer, publishTexts, type Texts, texts, treeOf } from './generation-steps.ts';
import { Killed, type MemorySink, memorySink } from './memory-sink.ts';

const HOUR = 3_600_000;
const first = texts(20, (i) => `first ${i}`);
// Some change, some go, some come, and two are equal.
const second: Texts = {
  ...texts(18, (i) => (i % 3 === 0 ? `second ${i === 3 ? 6 : i}` : `first ${i}`)),
  ...texts(1, () => 'zero'),
};
second['api/v1/public/new.json'] = '{"d":"new"}';

function copyOf(sink: MemorySink): MemorySink {
  return memorySink(1, new Map(sink.objects));
}

const steps: [
  string,
  (sink: MemorySink) => Promise<unknown>,
  () => Promise<MemorySink>,
  Texts | undefined,
  Texts,
][] = [
  ['the first publish', (sink) => publishTexts(sink, first), async () => memorySink(), undefined, first],
  [
    'a later publish',
    (sink) => publishTexts(sink, second, { now: DAY + HOUR, variants: ['gz'] }),
    async () => {
      const sink = memorySink();
      await publishTexts(sink, first, { variants: ['gz'] });
      return sink;
    },
    first,
    second,
  ],
  [
    'a rollback',
    (sink) => rollback(undefined, { sink, now: DAY + 2 * HOUR, variants: [] }),
    async () => {
      const sink = memorySink();
      await publishTexts(sink, first);
      await publishTexts(sink, second, { now: DAY + HOUR });
      return sink;
    },
    second,
    first,
  ],
];

test.each(steps)(
  '%s, killed at any request: readers see the old or the new whole, and the next run ends with the same bytes',
  async (_, step, prepare, old, expected) => {
    const prepared = await prepare();
    const whole = copyOf(prepared);
    await step(whole);
    const total = whole.requests;
    expect(treeOf(whole)).toEqual(expected);
    expect((await verifyArchive(whole)).problems).toEqual([]);
    expect(total).toBeGreaterThan(15);
    for (const side of ['before', 'after'] as const)
      for (let at = 0; at < total; at++) {
        const sink = copyOf(prepared);
        sink[side] = async (request) => {
          if (request >= at) throw new Killed(`at ${at}`);
        };
        await expect(step(sink)).rejects.toThrow(Killed);
        expect([old, expected]).toContainEqual(await followPointer(sink.objects));
        sink[side] = undefined;
        await publishTexts(sink, expected, { now: DAY + 3 * HOUR, variants: ['gz'] });
        expect(treeOf(sink)).toEqual({ ...treeOf(sink), ...expected });
        expect(await followPointer(sink.objects)).toEqual(expected);
        expect((await verifyArchive(sink)).problems).toEqual([]);
      }
  },
);

test('a tree that lags is completed before anything new, even when nothing else changed', async () => {
  const sink = memorySink();
  await publishTexts(sink, first);
  sink.after = (_, key) => {
    if (key === 'archive/pointer.json') throw new Killed();
  };
  await expect(publishTexts(sink, second, { now: DAY + HOUR })).rejects.toThrow(Killed);
  sink.after = undefined;
  const pointer = sink.objects.get('archive/pointer.json')?.toString() ?? '';
  if (JSON.parse(pointer).generation === 1) await publishTexts(sink, second, { now: DAY + HOUR });
  const report = await publishTexts(sink, second, { now: DAY + 2 * HOUR });
  expect(report.written).toBe(0);
  expect(treeOf(sink)).toEqual(second);
});

test('of two publishers from one base exactly one moves the pointer, and the other leaves nothing that is named', async () => {
  for (let pause = 0; pause < 60; pause++) {
    const sink = memorySink();
    await publishTexts(sink, first);
    const slow = memorySink(1, sink.objects);
    const other = memorySink(1, sink.objects);
    let othersTurn = true;
    slow.before = async (request) => {
      if (request !== pause || !othersTurn) return;
      othersTurn = false;
      await publishTexts(other, second, { now: DAY + HOUR });
    };
    const third = texts(20, (i) => `third ${i}`);
    const ended = await publishTexts(slow, third, { now: DAY + HOUR }).then(
      () => 'published',
      (thrown) => thrown.code,
    );
    const seen = await followPointer(sink.objects);
    expect(['published', 'publication_superseded']).toContain(ended);
    expect([second, third]).toContainEqual(seen);
    await publishTexts(sink, seen as Texts, { now: DAY + 2 * HOUR });
    expect(treeOf(sink)).toEqual(seen);
    expect((await verifyArchive(sink)).problems).toEqual([]);
  }
});
