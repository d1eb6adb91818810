import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeColumn,
  decodeInstants,
  encodeColumn,
  encodeInstants,
  readInstants,
} from '../../../src/store/prices/price-codec.ts';

const encode = (values: readonly (number | undefined)[]) => encodeColumn(values, (value) => value);
const roundTrip = (values: readonly (number | undefined)[]) =>
  Array.from(decodeColumn(encode(values), values.length), (value) =>
    Number.isNaN(value) ? undefined : value,
  );

describe('a column', () => {
  it('gives back the very doubles that were written, and what was absent', () => {
    const value = fc.option(fc.double({ noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(value), (values) => {
        for (const [i, each] of roundTrip(values).entries()) expect(Object.is(each, values[i])).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('takes two bytes a point when every price is in hundredths of a cent', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1 }), (units) => {
        const values = units.map((each) => each / 10_000);
        expect(encode(values)?.byteLength).toBe(values.length * 2);
        expect(roundTrip(values)).toEqual(values);
      }),
    );
  });

  it('takes eight where one is finer, negative, too great or the sign of absence', () => {
    for (const value of [0.12345, -0.0001, 6.5535, 6.5536, 1e9, -0, Number.POSITIVE_INFINITY]) {
      expect(encode([0.5, value])?.byteLength).toBe(16);
      expect(roundTrip([0.5, undefined, value])).toEqual([0.5, undefined, value]);
    }
    expect(encode([6.5534])?.byteLength).toBe(2);
  });

  it('of nothing takes nothing', () => {
    expect(encode([undefined, undefined])).toBeNull();
    expect(roundTrip([undefined, undefined])).toEqual([undefined, undefined]);
  });

  it('can be read from a blob at an odd address', () => {
    const bytes = encode([0.25, 0.5]) as Buffer;
    const shifted = Buffer.concat([Buffer.alloc(1), bytes]).subarray(1);
    expect([...decodeColumn(shifted, 2)]).toEqual([0.25, 0.5]);
  });
});

describe('instants', () => {
  it('come back the same, in four bytes a point where they are whole seconds after the first', () => {
    const first = Date.parse('2026-01-05T12:00:00Z');
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 1 }),
        fc.boolean(),
        (offsets, whole) => {
          const instants = offsets.map((each) => first + (whole ? Math.abs(each % 1e6) * 1000 : each));
          const bytes = encodeInstants(instants, (at) => at, first);
          expect([
            ...decodeInstants(readInstants(bytes, instants.length, first), 0, instants.length),
          ]).toEqual(instants);
          if (whole) expect(bytes.byteLength).toBe(instants.length * 4);
        },
      ),
    );
  });
});
