import { median } from 'simple-statistics';
import type { Probability } from '../../model/units.ts';

/** Limits of the gate; see the definition's outlier_gate. */
export interface OutlierGate {
  limit_cents: number;
  drop: boolean;
}

// 15 cents must not become "over 15" by the binary noise of 0.6 - 0.45.
const NOISE = 1e-9;
const LEAST_TO_DROP = 3;

/** Places of sources. */
interface Flagged {
  outliers: ReadonlySet<number>;
  dropped: ReadonlySet<number>;
}

/** Where no source is far from the others. */
export const NO_OUTLIERS: Flagged = { outliers: new Set(), dropped: new Set() };

/**
 * The sources that lie further from the median of all than the gate allows, and those of them that are
 * dropped: only where the definition says so, at least three sources have a price and most of them agree.
 * With two sources nobody can say which is wrong.
 *
 * @param prices marks of the sources, undefined where there is none
 * @returns places in `prices`
 * @example flagOutliers([0.5, 0.52, 0.8], { limit_cents: 15, drop: true }) // outliers and dropped: place 2
 */
export function flagOutliers(prices: readonly (Probability | undefined)[], gate: OutlierGate): Flagged {
  const known = prices.filter((price) => price !== undefined);
  // The median lies within the prices: where they lie within the limit, none is far from it.
  const isFar = (distance: number) => distance * 100 > gate.limit_cents + NOISE;
  if (known.length < 2 || !isFar(Math.max(...known) - Math.min(...known))) return NO_OUTLIERS;
  const middle = median(known);
  const outliers = new Set(
    prices.flatMap((price, i) => (price !== undefined && isFar(Math.abs(price - middle)) ? [i] : [])),
  );
  const drops = gate.drop && known.length >= LEAST_TO_DROP && outliers.size * 2 < known.length;
  return { outliers, dropped: drops ? outliers : NO_OUTLIERS.dropped };
}
