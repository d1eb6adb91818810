import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { correlate, LEAST_CHANGES } from '../../src/methodology/correlation.ts';

/** Closes whose changes are given. */
const walk = (changes: readonly number[]) => {
  const row = [0.5];
  for (const change of changes) row.push((row.at(-1) as number) + change);
  return row;
};

const twenty = (pattern: readonly number[]) =>
  Array.from({ length: LEAST_CHANGES }, (_none, i) => (pattern[i % pattern.length] as number) / 100);

describe('correlate', () => {
  it('[4.3/5] same changes give 1, opposite ones -1, unrelated ones 0', () => {
    const rows = [
      [1, -1, 1, -1],
      [2, -2, 2, -2],
      [-1, 1, -1, 1],
      [1, 1, -1, -1],
    ].map((each) => walk(twenty(each)));
    const { matrix } = correlate(['a', 'b', 'c', 'd'], rows);
    expect(matrix[0]?.[1]).toBeCloseTo(1, 12);
    expect(matrix[0]?.[2]).toBeCloseTo(-1, 12);
    expect(matrix[0]?.[3]).toBeCloseTo(0, 12);
  });

  it('[4.3/5] equals the product-moment formula over the changes that both have, whatever the gaps', () => {
    const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
    const formula = (pairs: readonly [number, number][]) => {
      const [x, y] = [pairs.map(([each]) => each), pairs.map(([, each]) => each)];
      const co = (a: readonly number[], b: readonly number[]) =>
        a.length * sum(a.map((each, i) => each * (b[i] as number))) - sum(a) * sum(b);
      return co(x, y) / Math.sqrt(co(x, x) * co(y, y));
    };
    const close = fc.integer({ min: 1, max: 99 });
    const rowOf = (closes: fc.Arbitrary<number | undefined>) =>
      fc.array(closes, { minLength: 30, maxLength: 30 });
    const row = fc.oneof(rowOf(close), rowOf(fc.option(close, { nil: undefined, freq: 15 })));
    fc.assert(
      fc.property(fc.array(row, { minLength: 2, maxLength: 8 }), (rows) => {
        const changes = rows.map((each) =>
          each.slice(1).map((after, i) => (after ?? Number.NaN) - (each[i] ?? Number.NaN)),
        );
        const { matrix } = correlate(rows.map(String), rows);
        for (const [i, a] of changes.entries())
          for (const [j, b] of changes.entries()) {
            const both = a.map((x, k): [number, number] => [x, b[k] as number]);
            const shared = both.filter((pair) => !pair.some(Number.isNaN));
            const expected = shared.length < LEAST_CHANGES ? Number.NaN : formula(shared);
            if (i !== j && Number.isNaN(expected)) expect(matrix[i]?.[j]).toBeNull();
            else expect(matrix[i]?.[j]).toBeCloseTo(i === j ? 1 : expected, 12);
          }
      }),
      { numRuns: 100 },
    );
  });

  it('needs at least 20 changes that both have; the count is shown beside each cell', () => {
    const full: (number | undefined)[] = walk(twenty([1, -1, 2]));
    const gap = full.map((close, i) => (i === 7 ? undefined : close));
    const { matrix, changes } = correlate(['full', 'gap'], [full, gap]);
    expect(changes).toEqual([
      [20, 18],
      [18, 18],
    ]);
    expect(matrix).toEqual([
      [1, null],
      [null, 1],
    ]);
  });

  it('is pairwise complete: a gap in one row costs the other pairs nothing', () => {
    const long: (number | undefined)[] = walk([...twenty([1, -1, 2]), 0.01, -0.02]);
    const gap = long.map((close, i) => (i === 22 ? undefined : close));
    const { changes } = correlate(['a', 'b', 'gap'], [long, long, gap]);
    expect(changes[0]).toEqual([22, 22, 21]);
  });

  it('is null for a pair without variance, even where binary noise makes equal steps differ', () => {
    const flat = walk(twenty([0]));
    const ramp = Array.from({ length: 21 }, (_none, i) => 0.1 + i * 0.01);
    const moving = walk(twenty([1, -1, 2]));
    const { matrix } = correlate(['flat', 'ramp', 'moving'], [flat, ramp, moving]);
    expect(matrix[0]).toEqual([1, null, null]);
    expect(matrix[1]).toEqual([null, 1, null]);
  });

  it('is symmetric, 1 on the diagonal and inside [-1, 1] for any closes', () => {
    const row = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }), {
      minLength: 30,
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
        const { matrix } = correlate(rows.map(String), rows);
        for (const [i, cells] of matrix.entries())
          for (const [j, cell] of cells.entries()) {
            expect(cell).toBe(matrix[j]?.[i]);
            if (i === j) expect(cell).toBe(1);
            if (cell !== null) expect(Math.abs(cell)).toBeLessThanOrEqual(1);
          }
      }),
      { numRuns: 100 },
    );
  });

  it('is an empty matrix for no input', () => {
    expect(correlate([], [])).toEqual({ market_ids: [], matrix: [], changes: [] });
  });
});
