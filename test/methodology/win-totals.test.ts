import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitLadder, wrappingPair } from '../../src/methodology/win-totals.ts';

const ladder = (...prices: number[]) => prices.map((price, i) => ({ line: 40 + 5 * i, price }));
const pairOf = (...prices: number[]) => wrappingPair(ladder(...prices)).map((point) => point.line);

describe('the ladder of win totals', () => {
  it('keeps prices that fall and pools those that rise', () => {
    expect(fitLadder(ladder(0.9, 0.5, 0.2))).toEqual([0.9, 0.5, 0.2]);
    expect(fitLadder(ladder(0.4, 0.6))).toEqual([0.5, 0.5]);
    // Worked by hand: 0.3 and 0.6 pool to 0.45, which 0.5 before it stands; 0.5 after it pools all three of them.
    expect(fitLadder(ladder(0.8, 0.3, 0.6, 0.5))).toEqual([
      0.8,
      ...new Array(3).fill(expect.closeTo(1.4 / 3, 12)),
    ]);
  });

  it('never rises, stays in the range of its prices and keeps their sum', () => {
    const prices = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(prices, (given) => {
        const fitted = fitLadder(ladder(...given));
        for (let i = 1; i < fitted.length; i++)
          expect(fitted[i]).toBeLessThanOrEqual((fitted[i - 1] as number) + 1e-12);
        const sum = (values: number[]) => values.reduce((total, each) => total + each, 0);
        expect(sum(fitted)).toBeCloseTo(sum(given), 9);
        expect(Math.max(...fitted)).toBeLessThanOrEqual(Math.max(...given) + 1e-12);
        expect(fitLadder(ladder(...fitted)).map((each) => each.toFixed(9))).toEqual(
          fitted.map((each) => each.toFixed(9)),
        );
      }),
    );
  });

  it('[2.4.2/3] the pair wraps the even line; on one side of it the two nearest; a lone line stands alone', () => {
    expect(pairOf(0.9, 0.5, 0.2)).toEqual([45, 50]);
    expect(pairOf(0.9, 0.8, 0.7)).toEqual([45, 50]);
    expect(pairOf(0.4, 0.3, 0.2)).toEqual([40, 45]);
    expect(pairOf(0.7)).toEqual([40]);
    expect(pairOf(0.3)).toEqual([40]);
    expect(pairOf()).toEqual([]);
  });
});
