import { describe, expect, it } from 'vitest';
import { Meanings } from '../../../src/methodology/similarity/meanings.ts';

const vector = (...values: number[]) => Int8Array.from(values);

describe('meanings', () => {
  it('are combined with words by their weight', () => {
    const meanings = new Meanings([vector(100, 0), vector(50, 0), vector(-100, 0), vector(-50, 0)], 0.25);
    // The mean cosine of all pairs is below 0 and counts as 0: the two that point the same way mean the same.
    expect(meanings.blend(0, 1, 0.4)).toBeCloseTo(0.75 * 0.4 + 0.25, 6);
    expect(meanings.blend(0, 2, 0.4)).toBeCloseTo(0.75 * 0.4, 6);
  });

  it('are scaled by the cosine of random texts', () => {
    // Cosines: 0.6 of each of the three pairs.
    const [a, b, c] = [vector(77, 63, 0, 0), vector(77, 0, 63, 0), vector(77, 0, 0, 63)];
    const meanings = new Meanings([a, b, c], 1);
    for (const [i, j] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const)
      expect(meanings.blend(i, j, 0.9)).toBeCloseTo(0, 6);
    expect(meanings.blend(0, 0, 0)).toBeCloseTo(1, 6);
  });

  it('leave a text without a vector, or with one of another length, to its words', () => {
    const meanings = new Meanings([vector(1, 2), undefined, vector(1, 2, 3)], 0.5);
    expect([meanings.blend(0, 1, 0.3), meanings.blend(0, 2, 0.3)]).toEqual([0.3, 0.3]);
    expect(new Meanings([undefined, undefined], 1).blend(0, 1, 0.7)).toBe(0.7);
  });
});
