import { describe, expect, it } from 'vitest';
import { fitLadder, wrappingPair } from '../../src/methodology/win-totals.ts';

const ladder = (...prices: number[]) => prices.map((price, i) => ({ line: 40 + 5 * i, price }));
const pairOf = (...prices: number[]) => wrappingPair(ladder(...prices)).map((point) => point.line);

describe('the wins seat', () => {
  it('[2.4.2/3] holds the pair around the even line; off one end the two nearest; a single line alone', () => {
    expect(pairOf(0.9, 0.5, 0.2)).toEqual([45, 50]);
    expect(pairOf(0.9, 0.8, 0.7)).toEqual([45, 50]);
    expect(pairOf(0.4, 0.3, 0.2)).toEqual([40, 45]);
    expect(pairOf(0.7)).toEqual([40]);
    expect(pairOf(0.3)).toEqual([40]);
    expect(pairOf()).toEqual([]);
  });

  it('[2.4.2/3] holds a line at one half as one that is not below it, also if that is the mean of several', () => {
    // 20, 41, 69 and 70 cents are out of order: 200 / 4 = 50 cents each, then 10. In binary the mean is less than 0.5.
    const fitted = fitLadder(ladder(0.2, 0.41, 0.69, 0.7, 0.1));
    expect(wrappingPair(fitted).map((point) => point.line)).toEqual([55, 60]);
  });
});
