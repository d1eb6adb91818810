import { expect, it } from 'vitest';
import { brokenAt } from '../../src/explorer/charts/series.ts';

it('a restarted line is not connected to what came before', () => {
  const points = [1000, 500, 1000, 1100].map((value, i) => ({ at: 1000 * i, value }));
  expect(brokenAt(points, [0, 2000])).toEqual([
    [0, 1, 1.999, 2, 3],
    [1000, 500, null, 1000, 1100],
  ]);
});
