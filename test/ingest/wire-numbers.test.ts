import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInTime } from '../../src/ingest/wire/read-in-time.ts';
import { numberOf } from '../../src/ingest/wire/wire-numbers.ts';

describe('numberOf', () => {
  it('reads digits as the very number that JavaScript reads', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 18 });
    fc.assert(
      fc.property(digits, fc.constantFrom('', '.'), digits, (whole, dot, part) => {
        const text = `${whole}${dot}${part}`;
        const expected = /\d/.test(text) ? Number(text) : undefined;
        expect(numberOf(text, Number.POSITIVE_INFINITY)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['', '.', '1.2.3', '1..', '1,5', '0x10', 'NaN', '-1', '1e', '５'])(
    'reads %j as no number',
    (text) => {
      expect(numberOf(text, 1e15)).toBeUndefined();
    },
  );

  it('reads a text of millions of digits as no number, whatever follows them', () => {
    const digits = '1'.repeat(5_000_000);
    for (const text of [
      digits,
      `0.${digits}`,
      `${digits}x`,
      `${digits}.${digits}x`,
      `1e${digits}x`,
      `1${' '.repeat(5_000_000)}x`,
    ])
      expect(readInTime(5, () => numberOf(text, 1e15))).toBeUndefined();
  });
});
