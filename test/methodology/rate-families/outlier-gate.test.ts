import { expect, it } from 'vitest';
import { flagOutliers } from '../../../src/methodology/rate-families/outlier-gate.ts';
import { A, B, C, defineRate, printAt } from './rates.ts';

const NONE = Number.NaN;

/** What the gate says of some prices: the places of outliers, and whether they are dropped. */
function gated(prices: readonly number[]) {
  const outlier = Uint8Array.from(prices, () => 1);
  const { count, dropped } = flagOutliers(prices, { limit_cents: 15, drop: true }, outlier);
  const places = [...outlier.keys()].filter((i) => outlier[i] === 1);
  expect(places.length).toBe(count);
  return { places, dropped };
}

const sources = [A, B, C].map((market_id) => ({ market_id }));

it('flags a source that lies too far from the median, but not at the limit', () => {
  expect(gated([0.5, 0.52, 0.68])).toEqual({ places: [2], dropped: true });
  expect(gated([0.45, 0.45, 0.6])).toEqual({ places: [], dropped: false });
});

it('never drops with two sources, though both are flagged', () => {
  expect(gated([0.2, NONE, 0.8])).toEqual({ places: [0, 2], dropped: false });
});

it('never drops without an agreeing majority', () => {
  expect(gated([0.1, 0.1, 0.9, 0.9]).dropped).toBe(false);
});

it('flags and keeps by default, and drops where the definition says so', () => {
  const prices = { [A]: 0.5, [B]: 0.52, [C]: 0.8 };
  const kept = printAt(defineRate({ methodology: 'simple_average', sources }), prices);
  expect(kept?.price).toBeCloseTo(1.82 / 3, 15);
  expect(kept?.lines.map((line) => line.outlier)).toEqual([undefined, undefined, true]);
  const dropped = printAt(
    defineRate({ methodology: 'simple_average', sources, outlier_gate: { drop: true } }),
    prices,
  );
  expect(dropped?.price).toBeCloseTo(0.51, 15);
  expect(dropped?.spread).toBeCloseTo(0.02, 15);
  expect(dropped?.lines[2]).toMatchObject({ state: 'consulted', outlier: true, weight: 1 / 3, price: 0.8 });
});
