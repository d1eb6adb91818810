import { expect, test } from 'vitest';
import { meteredSink } from '../../src/publish/metered-sink.ts';
import { keysOf } from './keys-of.ts';
import { memorySink } from './memory-sink.ts';

test.each([
  [0, 1],
  [1_000, 1],
  [1_001, 2],
  [2_001, 3],
])('a list of %d keys counts and costs as %d writes', async (keys, lists) => {
  const objects = new Map(Array.from({ length: keys }, (_, i) => [`a/${i}`, Buffer.from('')]));
  const { sink, usage } = meteredSink(memorySink(1, objects));
  expect(await keysOf(sink, 'a/')).toHaveLength(keys);
  expect(usage()).toMatchObject({ writes: 0, reads: 0, lists });
  expect(usage().usd).toBeCloseTo(lists * 0.000005, 9);
});
