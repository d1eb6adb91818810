import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentKey, encodeId } from '../../src/routes/document-key.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('.', '/', '~', '%', 'j', 's', 'o', 'n', 'g', 'z', '-', 'A', 'a', '\u212a'),
    maxLength: 12,
  }),
  fc.string({ minLength: 2000, maxLength: 2100 }),
  fc
    .array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 6 })
    .map((units) => String.fromCharCode(...units)),
);

test('two ids never share a key', () => {
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(hostile, (id) => {
      const key = encodeId(id);
      expect(seen.get(key) ?? id).toBe(id);
      seen.set(key, id);
    }),
    { numRuns: 5_000 },
  );
});

test('no id leaves its folder, hides, or takes the place of another document or of its variants', () => {
  fc.assert(
    fc.property(hostile, (id) => {
      const key = documentKey('/markets/{id}/indices', id);
      expect(key).toMatch(/^api\/v1\/public\/markets\/[A-Za-z0-9_~.-]{1,180}\/indices\.json$/);
      expect(new URL(`http://host/${key}`).pathname).toBe(`/${key}`);
      expect(encodeId(id)).not.toMatch(/\.json(?![a-z0-9])|^\.|\.\.|\.$/i);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ['venue_a:KXFED-26', 'venue_a~3aKXFED-26'],
  ['..', '~2e~2e'],
  ['../x', '~2e~2e~2fx'],
  ['a.b', 'a.b'],
  ['a.', 'a~2e'],
  ['X.json', 'X~2ejson'],
  ['', '~'],
  ['é', '~c3~a9'],
  ['\ud800', '~ud800'],
  ['\u212a', '~e2~84~aa'],
])('the id %j is written %s', (id, encoded) => {
  expect(encodeId(id)).toBe(encoded);
});
