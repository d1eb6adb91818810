import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GONE, parseShard } from '../../../src/store/archive/archive.ts';

const DIGEST = /^[0-9a-f]{64}$/;
const read = (text: string) => parseShard('archive/shards/x', Buffer.from(text));

describe('a shard', () => {
  it('is parsed as JSON.parse would, whatever its keys contain', () => {
    const key = fc
      .oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', ',', ':', '{', '}', 'a', 'é') }))
      .filter((each) => !each.includes('..'));
    const digest = fc.oneof(fc.constant(GONE), fc.stringMatching(DIGEST));
    fc.assert(
      fc.property(fc.dictionary(key, digest), (digests) => {
        const text = JSON.stringify(digests);
        expect(read(text)).toEqual(new Map(Object.entries(JSON.parse(text))));
      }),
    );
  });

  it.each([
    '[]',
    'null',
    '{"a":1}',
    '{"a":"short"}',
    `{"a":"${'0'.repeat(64)}"`,
    `{"a\\u0062":7}`,
    '{"../a":""}',
  ])('is refused when it is invalid: %s', (text) => {
    expect(() => read(text)).toThrow(
      expect.objectContaining({
        code: 'archive_damaged',
        message: expect.stringContaining('archive/shards/x'),
      }),
    );
  });
});
