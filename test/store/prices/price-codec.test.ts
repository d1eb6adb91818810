import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeColumn,
  decodeInstants,
  encodeColumn,
  encodeInstants,
  instantAt,
  readInstants,
  SteppedInstants,
} from '../../../src/store/prices/price-codec.ts';

const encode = (values: readonly (number | undefined)[]) => encodeColumn(values, (value) => value);
const roundTrip = (values: readonly (number | undefined)[]) =>
  Array.from(decodeColumn(encode(values), values.length), (value) =>
    Number.isNaN(value) ? undefined : value,
  );

describe('a column', () => {
  it('restores the very doubles that were written, and what was absent', () => {
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

  it('takes four a point when every number is in hundredths, as volumes are', () => {
    const amount = fc.integer({ min: 0, max: 0xffff_fffe }).map((units) => units / 100);
    fc.assert(
      fc.property(fc.array(amount), (amounts) => {
        const values = [7, undefined, ...amounts];
        expect(encode(values)?.byteLength).toBe(values.length * 4);
        expect(roundTrip(values)).toEqual(values);
      }),
    );
  });

  it('takes eight where one is finer, negative, too great or the sign of absence', () => {
    for (const value of [0.12345, -0.0001, 6.5535, 42_949_672.95, 1e9, -0, Number.POSITIVE_INFINITY]) {
      expect(encode([0.5, value])?.byteLength).toBe(16);
      expect(roundTrip([0.5, undefined, value])).toEqual([0.5, undefined, value]);
    }
    expect(encode([6.5534])?.byteLength).toBe(2);
    expect(encode([6.55])?.byteLength).toBe(2);
    expect(encode([6.56])?.byteLength).toBe(4);
    expect(encode([42_949_672.94])?.byteLength).toBe(4);
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
  const first = Date.parse('2026-01-05T12:00:00Z');
  const encode = (instants: readonly number[]) => encodeInstants(instants, (at) => at, first);
  const roundTrip = (instants: readonly number[]) => [
    ...decodeInstants(readInstants(encode(instants), instants.length, first), 0, instants.length),
  ];

  it('come back the same, in at most four bytes a point where they are whole seconds after the first', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 1 }),
        fc.boolean(),
        (offsets, whole) => {
          const instants = offsets.map((each) => first + (whole ? Math.abs(each % 1e6) * 1000 : each));
          expect(roundTrip(instants)).toEqual(instants);
          if (whole) expect(encode(instants).byteLength).toBeLessThanOrEqual(instants.length * 4);
        },
      ),
    );
  });

  it('come back the same where one is irregularly spaced, whichever it is', () => {
    for (let moved = 0; moved < 6; moved++) {
      const instants = Array.from({ length: 6 }, (_none, i) => first + i * 3_600_000 + (i === moved ? 1 : 0));
      expect(roundTrip(instants), `${moved}`).toEqual(instants);
    }
  });

  it('that are evenly spaced take sixteen bytes, even if all are equal, at any milliseconds', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 100 }),
        fc.integer({ min: -1e12, max: 1e12 }),
        fc.integer({ min: -1e7, max: 1e7 }),
        (points, start, step) => {
          const instants = Array.from({ length: points }, (_none, i) => first + start + i * step);
          expect(encode(instants).byteLength).toBe(16);
          expect(roundTrip(instants)).toEqual(instants);
          const stored = readInstants(encode(instants), points, first);
          expect(instants.map((_at, i) => instantAt(stored, i))).toEqual(instants);
        },
      ),
    );
  });

  it('that are evenly spaced are the same whichever were decoded before', () => {
    const few = fc.integer({ min: 0, max: 2 });
    const grid = fc.record({ start: few, step: few, from: few, points: fc.integer({ min: 5, max: 6 }) });
    fc.assert(
      fc.property(fc.array(grid, { minLength: 2 }), (grids) => {
        const stepped = new SteppedInstants();
        for (const { start, step, from, points } of grids) {
          const instants = Array.from({ length: points }, (_none, i) => first + start + i * step);
          const stored = readInstants(encode(instants), points, first);
          expect([...decodeInstants(stored, from, points, stepped)]).toEqual(instants.slice(from));
        }
      }),
    );
  });

  it('of chunks that were written without a step can be read too', () => {
    const seconds = [0, 3600, 7200, 10_800, 14_400];
    const instants = seconds.map((each) => first + each * 1000);
    const read = (offsets: Uint32Array | Float64Array) =>
      decodeInstants(readInstants(Buffer.from(offsets.buffer), 5, first), 0, 5);
    expect([...read(Uint32Array.from(seconds))]).toEqual(instants);
    expect([...read(Float64Array.from(seconds, (each) => each * 1000))]).toEqual(instants);
  });

  it('come back the same however few they are, and where only the last one is off the step', () => {
    for (const unit of [1, 1000])
      for (let points = 1; points <= 8; points++)
        for (const off of [0, 1, -1]) {
          const instants = Array.from({ length: points }, (_none, i) => first + 3 * i * unit);
          instants[points - 1] = (instants[points - 1] as number) + off * unit;
          expect(roundTrip(instants)).toEqual(instants);
        }
  });
});
