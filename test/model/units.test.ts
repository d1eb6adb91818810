import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { usableQuote, usableTrade } from '../../src/model/observation.ts';
import { roundTo, toCents, toLevel, toPlain } from '../../src/model/units.ts';

describe('written numbers', () => {
  it('[2.1/3] prices have four decimals of a cent, levels six', () => {
    expect(toCents(0.12345678)).toBe(12.3457);
    expect(toCents(0)).toBe(0);
    expect(toCents(1)).toBe(100);
    expect(toLevel(1000.00000049)).toBe(1000);
  });

  it('are rounded by their decimals, just below, at and just above a half too', () => {
    const places = fc.integer({ min: 0, max: 6 });
    const half = fc.tuple(fc.integer({ min: -2e9, max: 2e9 }), places, fc.integer({ min: -3, max: 3 }));
    const nearHalves = half.map(([n, places, ulps]) => {
      const value = (n + 0.5) / 10 ** places;
      return { value: value + ulps * Number.EPSILON * Math.abs(value), places };
    });
    const any = fc.record({ value: fc.double({ noNaN: true }), places });
    const prices = fc.record({ value: fc.double({ min: -2000, max: 2000, noNaN: true }), places });
    fc.assert(
      fc.property(fc.oneof(nearHalves, any, prices), ({ value, places }) => {
        expect(Object.is(roundTo(value, places), Number(value.toFixed(places)) + 0)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });

  it('have no more digits than the numbers that were summed', () => {
    const hundredths = fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(hundredths, (counts) => {
        const whole = counts.reduce((sum, count) => sum + count, 0);
        const sum = counts.reduce((total, count) => total + count / 100, 0);
        expect(toPlain(sum)).toBe(whole / 100);
      }),
    );
    expect(toPlain((0.004 + 0.005) / 2)).toBe(0.0045);
    expect(toPlain(1e21)).toBe(1e21);
  });

  it('are never minus zero', () => expect(Object.is(roundTo(-1e-9, 6), 0)).toBe(true));
});

describe('valid prices', () => {
  it('[2.5.2/1] exclude a bid or ask of 0 or 100 cents, or without size: it is an empty side', () => {
    for (const price of [undefined, 0, 1, -0.1, 1.1, Number.NaN]) expect(usableQuote(price)).toBeUndefined();
    expect(usableQuote(0.5, 0)).toBeUndefined();
    expect(usableQuote(0.5)).toBe(0.5);
    expect(usableQuote(0.0001, 3)).toBe(0.0001);
  });

  it('exclude a trade at 0 or 100', () => {
    for (const price of [undefined, 0, 1, Number.NaN]) expect(usableTrade(price)).toBeUndefined();
    expect(usableTrade(0.999)).toBe(0.999);
  });
});
