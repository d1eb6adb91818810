import { medianSorted } from 'simple-statistics';
import type { Probability } from '../../model/units.ts';

/** Limits of the gate; see the definition's outlier_gate. */
export interface OutlierGate {
  limit_cents: number;
  drop: boolean;
}

// 15 cents must not become "over 15" by the binary noise of 0.6 - 0.45.
const NOISE = 1e-9;
const LEAST_TO_DROP = 3;

/**
 * Flags the sources that lie further from the median of all than the gate allows. They are dropped only where the
 * definition says so, at least three sources have a price and most of them agree. With two sources nobody
 * can say which is wrong.
 *
 * @param prices marks of the sources, NaN where there is none
 * @param outlier takes 1 for a source that is far from the others, 0 for any other
 * @returns the number of outliers, and whether they are dropped
 * @example flagOutliers([0.5, 0.52, 0.8], { limit_cents: 15, drop: true }, outlier) // outlier is [0, 0, 1], dropped
 */
export function flagOutliers(
  prices: ArrayLike<Probability>,
  gate: OutlierGate,
  outlier: Uint8Array,
): { count: number; dropped: boolean } {
  const isFar = (distance: number) => distance * 100 > gate.limit_cents + NOISE;
  let known = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] as number;
    outlier[i] = 0;
    if (Number.isNaN(price)) continue;
    known++;
    if (price < least) least = price;
    if (price > most) most = price;
  }
  // The median lies within the prices: where they lie within the limit, none is far from it.
  if (known < 2 || !isFar(most - least)) return NO_OUTLIERS;
  const middle = medianSorted(inOrder(prices));
  let count = 0;
  for (let i = 0; i < prices.length; i++)
    if (isFar(Math.abs((prices[i] as number) - middle))) {
      outlier[i] = 1;
      count++;
    }
  return { count, dropped: gate.drop && known >= LEAST_TO_DROP && count * 2 < known };
}

/** Where no source is far from the others. */
export const NO_OUTLIERS = { count: 0, dropped: false };

/** The prices that are there, the lowest first. There are few: each is put in its place. */
function inOrder(prices: ArrayLike<Probability>): Probability[] {
  const sorted: Probability[] = [];
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] as number;
    if (Number.isNaN(price)) continue;
    let place = sorted.length;
    sorted.push(price);
    for (; place > 0 && (sorted[place - 1] as number) > price; place--)
      sorted[place] = sorted[place - 1] as number;
    sorted[place] = price;
  }
  return sorted;
}
