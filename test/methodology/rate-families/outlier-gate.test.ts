import fc from 'fast-check';
import { median } from 'simple-statistics';
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

it('flags what lies too far from the median, and drops it if most of three or more sources agree', () => {
  const price = fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 99 }).map((cents) => cents / 100) },
    { weight: 1, arbitrary: fc.constant(NONE) },
  );
  fc.assert(
    fc.property(fc.array(price, { maxLength: 7 }), (prices) => {
      const known = prices.filter((each) => !Number.isNaN(each));
      const middle = known.length > 0 ? median(known) : NONE;
      const far = [...prices.keys()].filter(
        (i) => Math.abs((prices[i] as number) - middle) * 100 > 15 + 1e-9,
      );
      const { places, dropped } = gated(prices);
      expect(places).toEqual(far);
      if (far.length > 0) expect(dropped).toBe(known.length >= 3 && far.length < known.length / 2);
    }),
    { numRuns: 500 },
  );
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
