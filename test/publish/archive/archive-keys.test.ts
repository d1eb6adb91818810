import { hash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ArchiveKeys } from '../../../src/publish/archive/archive-keys.ts';
import { generationKey, objectKey, shardKey } from '../../../src/store/archive/archive.ts';

const digit = fc.constantFrom(...'0123456789abcdef');
// Some share their first words, so that their hashes collide.
const sha256 = fc
  .tuple(
    fc.constantFrom('00000000', '00000001', 'ffffffff'),
    fc.array(digit, { minLength: 56, maxLength: 56 }),
  )
  .map(([first, rest]) => first + rest.join(''));
const key = fc.oneof(
  sha256.map(objectKey),
  sha256.map(shardKey),
  sha256.map((each) => generationKey({ generation: 7, sha256: each })),
  sha256.map((each) => `${objectKey(each)}~12~writing`),
  sha256.map((each) => objectKey(each).replace(/\/[0-9a-f]{2}\//, '/x/')),
);

it('the keys of an archive behave like a Set', () => {
  fc.assert(
    fc.property(fc.array(key, { maxLength: 3_000, size: 'max' }), fc.array(key), (added, others) => {
      const [keys, set] = [new ArchiveKeys(), new Set<string>()];
      for (const each of [...added, ...added.slice(0, 9)]) {
        keys.add(each);
        set.add(each);
      }
      for (const each of [...added, ...others]) expect(keys.has(each)).toBe(set.has(each));
    }),
    { numRuns: 20 },
  );
});

it('many keys take less than a third of the memory of a Set', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const bytesUsed = () => {
    // Buffers that one collection finds unused may be freed only by the next.
    collect();
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const bytesOf = (keys: { add(key: string): void }) => {
    const before = bytesUsed();
    for (let i = 1; i <= 100_000; i++) keys.add(objectKey(hash('sha256', String(i))));
    return bytesUsed() - before;
  };
  const [keys, set] = [new ArchiveKeys(), new Set<string>()];
  expect(bytesOf(keys)).toBeLessThan(bytesOf(set) / 3);
  // Both are in use until here.
  const first = objectKey(hash('sha256', '1'));
  expect([keys.has(first), set.has(first)]).toEqual([true, true]);
});
