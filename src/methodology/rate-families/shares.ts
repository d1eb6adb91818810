import type { Weight } from '../../model/units.ts';
import { sum } from '../sum.ts';
import type { OfSources } from './rate-family.ts';

/** The shares that a definition gives its sources: their weights, scaled to sum to 1. */
export function configuredShares(sources: readonly { weight: number }[]): Weight[] {
  const total = sum(sources.map((source) => source.weight));
  return sources.map((source) => source.weight / total);
}

/** Converts a column of shares, NaN for a source without one, to values. */
export function sharesOf(column: Float64Array): OfSources<Weight> {
  return Array.from(column, (share) => (Number.isNaN(share) ? undefined : share));
}
