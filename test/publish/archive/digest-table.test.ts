import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DigestTable } from '../../../src/publish/archive/digest-table.ts';

const digest = fc.nat({ max: 5 }).map((n) => hash('sha256', String(n)));
const key = fc.oneof(
  fc.nat({ max: 40 }).map((n) => `api/v1/public/markets/${n}.json`),
  fc.constantFrom('', 'a', 'a\0', 'a\0\0\0', '__proto__', 'é', 'e\u0301', '🗳️', '\u2028', 'x'.repeat(3_000)),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(fc.constant('set' as const), key, digest) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('delete' as const), key, digest) },
);

describe('a table of digests', () => {
  test('agrees with a Map on every key, whatever was added and removed', () => {
    const run = fc.property(fc.array(step, { maxLength: 200 }), fc.array(key), (steps, others) => {
      const [table, map] = [new DigestTable(), new Map<string, string>()];
      for (const [what, key, sha256] of steps) {
        if (what === 'set') {
          table.set(key, sha256);
          map.set(key, sha256);
        } else {
          table.delete(key);
          map.delete(key);
        }
      }
      expect(table.size).toBe(map.size);
      expect([...table]).toEqual([...map]);
      expect([...table.keys()]).toEqual([...map.keys()]);
      for (const key of [...steps.map(([, key]) => key), ...others]) {
        expect(table.get(key)).toBe(map.get(key));
        expect(table.has(key)).toBe(map.has(key));
      }
    });
    fc.assert(run, { numRuns: 300 });
  });

  test('grows with its contents, past a chunk of records', () => {
    const table = new DigestTable();
    const keyOf = (i: number) => `api/v1/public/markets/venue_a%3AKX-${i}-${'long'.repeat(i % 20)}.json`;
    const count = 60_000;
    for (let i = 0; i < count; i++) table.set(keyOf(i), hash('sha256', keyOf(i)));
    for (let i = 0; i < count; i += 3) table.delete(keyOf(i));
    expect(table.size).toBe(count - count / 3);
    for (let i = 0; i < count; i++)
      expect(table.get(keyOf(i))).toBe(i % 3 === 0 ? undefined : hash('sha256', keyOf(i)));
  });

  test('leaves the number of a removed entry unused', () => {
    const table = new DigestTable();
    const sha256 = hash('sha256', 'a');
    table.set('a', sha256);
    table.delete('a');
    table.set('a', sha256);
    expect(table.keyAt(0)).toBeUndefined();
    expect(table.entryOf('a')).toBe(1);
  });

  test('holds a key that is longer than its buffer', () => {
    const table = new DigestTable();
    const long = 'é'.repeat(3_000_000);
    table.set(long, hash('sha256', 'long'));
    table.set('short', hash('sha256', 'short'));
    expect(table.get(long)).toBe(hash('sha256', 'long'));
    expect([...table.keys()]).toEqual([long, 'short']);
  });
});
