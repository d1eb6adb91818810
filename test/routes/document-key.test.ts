import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentKey, encodeId } from '../../src/routes/document-key.ts';
import { DOCUMENTS } from '../../src/routes/id-encoding.ts';

const HOSTILE = [
  '.',
  '..',
  '...',
  '/',
  '\\',
  '//',
  '%2e%2e',
  '~',
  '~~',
  '~2e',
  'CON',
  '\0',
  '\n',
  ' ',
  'é',
  '🦊',
  '.json',
];

const id = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom(...HOSTILE, 'a', 'A', '0', '-', '_', ':', '.JSON', 'gz', '\u212a'))
    .map((parts) => parts.join('')),
  fc.string({ minLength: 150, maxLength: 2100 }),
  // Halves of surrogate pairs, and what lies beside them.
  fc
    .array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 6 })
    .map((units) => String.fromCharCode(...units)),
);

describe('the key of a document', () => {
  it('is the path of its URL plus .json', () => {
    expect(documentKey('/indices', '')).toBe('api/v1/public/indices.json');
    expect(documentKey('/indices/{id}/prices', 'ABC.K')).toBe('api/v1/public/indices/ABC.K/prices.json');
    expect(documentKey('/markets/{id}', 'venue_a:KXFED-26')).toBe(
      'api/v1/public/markets/venue_a~3aKXFED-26.json',
    );
  });

  it.each([
    ['', '~'],
    ['.', '~2e'],
    ['..', '~2e~2e'],
    ['a..b', 'a.~2eb'],
    ['.a.', '~2ea~2e'],
    ['a/b', 'a~2fb'],
    ['a~2fb', 'a~7e2fb'],
    ['../x', '~2e~2e~2fx'],
    ['é', '~c3~a9'],
    ['\ud800', '~ud800'],
    ['🦊', '~f0~9f~a6~8a'],
    ['\u017f\u212a', '~c5~bf~e2~84~aa'],
    ['a.json', 'a~2ejson'],
    ['a.JSON', 'a~2eJSON'],
    ['a.jsonl', 'a.jsonl'],
  ])('encodes %j as %j', (raw, encoded) => {
    expect(encodeId(raw)).toBe(encoded);
  });

  it('never leaves its folder, holds only characters allowed in file names, and fits into one', () => {
    fc.assert(
      fc.property(id, (raw) => {
        const key = documentKey('/markets/{id}/indices', raw);
        expect(key).toMatch(/^api\/v1\/public\/markets\/[A-Za-z0-9_.~-]+\/indices\.json$/);
        const [, , , , folder = ''] = key.split('/');
        expect(folder).not.toMatch(/^\.|\.$|\.\.|\.json(?![a-z0-9])/i);
        expect(folder.length).toBeLessThanOrEqual(180);
        expect(new URL(key, 'https://cdn.example/').pathname).toBe(`/${key}`);
        expect(key.startsWith(`${DOCUMENTS}/`)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('is never shared by two ids, and never the folder of another', () => {
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 2, maxLength: 50 }), (ids) => {
        const keys = ids.flatMap((raw) => [
          documentKey('/markets/{id}', raw),
          documentKey('/markets/{id}/indices', raw),
        ]);
        expect(new Set(keys).size).toBe(keys.length);
        const folders = new Set(keys.map((key) => key.slice(0, key.lastIndexOf('/'))));
        for (const key of keys) expect(folders.has(key)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('differs for ids of 2,000 characters that differ in the last one', () => {
    const long = 'x'.repeat(1999);
    expect(encodeId(`${long}a`)).not.toBe(encodeId(`${long}b`));
    expect(encodeId(`${long}a`)).toMatch(/^~~[0-9a-f]{64}$/);
  });
});
