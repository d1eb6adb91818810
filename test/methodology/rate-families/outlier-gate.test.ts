import { expect, it } from 'vitest';
import { flagOutliers } from '../../../src/methodology/rate-families/outlier-gate.ts';
import { A, B, C, defineRate, printAt } from './rates.ts';

const GATE = { limit_cents: 15, drop: true };
const sources = [A, B, C].map((market_id) => ({ market_id }));

it('flags a source that lies too far from the median, and not one that lies at the limit', () => {
  expect([...flagOutliers([0.5, 0.52, 0.68], GATE).outliers]).toEqual([2]);
  expect([...flagOutliers([0.45, 0.45, 0.6], GATE).outliers]).toEqual([]);
});

it('never drops with two sources, though both are flagged', () => {
  const found = flagOutliers([0.2, undefined, 0.8], GATE);
  expect([...found.outliers]).toEqual([0, 2]);
  expect(found.dropped.size).toBe(0);
});

it('never drops where no majority agrees', () => {
  expect(flagOutliers([0.1, 0.1, 0.9, 0.9], GATE).dropped.size).toBe(0);
});

it('flags and keeps by default, and drops where the definition says so', () => {
  const prices = { [A]: 0.5, [B]: 0.52, [C]: 0.8 };
  const kept = printAt(defineRate({ methodology: 'simple_average', sources }), prices);
  expect(kept?.price).toBeCloseTo(1.82 / 3, 15);
  expect(kept?.lines.map((line) => line.outlier)).toEqual([undefined, undefined, true]);
  const gated = printAt(
    defineRate({ methodology: 'simple_average', sources, outlier_gate: { drop: true } }),
    prices,
  );
  expect(gated?.price).toBeCloseTo(0.51, 15);
  expect(gated?.spread).toBeCloseTo(0.02, 15);
  expect(gated?.lines[2]).toMatchObject({ state: 'consulted', outlier: true, weight: 1 / 3, price: 0.8 });
});
