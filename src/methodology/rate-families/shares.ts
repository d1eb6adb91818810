import type { Probability, Weight } from '../../model/units.ts';
import { sum } from '../sum.ts';
import type { Pricing } from './rate-family.ts';

/** The shares that a definition gives its sources: their weights, scaled to sum to 1. */
export function configuredShares(sources: readonly { weight: number }[]): Weight[] {
  const total = sum(sources.map((source) => source.weight));
  return sources.map((source) => source.weight / total);
}

/** The pricing of a mean with its shares as a column, NaN for a source without one; undefined if the mean is NaN. */
export function pricingOf(price: Probability, column: Float64Array): Pricing | undefined {
  if (Number.isNaN(price)) return undefined;
  return { price, shares: Array.from(column, (share) => (Number.isNaN(share) ? undefined : share)) };
}
