import { medianSorted } from 'simple-statistics';
import { fromCents, type Probability } from '../../model/units.ts';
import { exceeds } from '../rounding.ts';

/** Limits of the gate; see the definition's outlier_gate. */
export interface OutlierGate {
  limit_cents: number;
  drop: boolean;
}

/**
 * Flags the sources that are further from the median of all than the gate allows. They are dropped only if the
 * definition says so and most of the sources that have a price agree. Of two that differ both are flagged: nobody can
 * say which is wrong.
 *
 * @param prices marks of the sources, NaN where there is none
 * @param outlier receives 1 for each outlier, 0 for the others
 * @returns the number of outliers, and whether they are dropped
 * @example flagOutliers([0.5, 0.52, 0.8], { limit_cents: 15, drop: true }, outlier) // outlier is [0, 0, 1], dropped
 */
export function flagOutliers(
  prices: ArrayLike<Probability>,
  gate: OutlierGate,
  outlier: Uint8Array,
): { count: number; dropped: boolean } {
  const limit = fromCents(gate.limit_cents);
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
  // The median lies between the prices: if all are within the limit of each other, none is far from it.
  if (!exceeds(most - least, limit)) return NO_OUTLIERS;
  const middle = medianSorted(inOrder(prices));
  let count = 0;
  for (let i = 0; i < prices.length; i++)
    if (exceeds(Math.abs((prices[i] as number) - middle), limit)) {
      outlier[i] = 1;
      count++;
    }
  return { count, dropped: gate.drop && count * 2 < known };
}

/** The result when there are no outliers. */
export const NO_OUTLIERS = { count: 0, dropped: false };

/** The known prices, ascending, by insertion sort since they are few. */
function inOrder(prices: ArrayLike<Probability>): Probability[] {
  const sorted: Probability[] = [];
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] as number;
    if (Number.isNaN(price)) continue;
    let place = sorted.length;
    for (; place > 0 && (sorted[place - 1] as number) > price; place--)
      sorted[place] = sorted[place - 1] as number;
    sorted[place] = price;
  }
  return sorted;
}
