import type { Weight } from '../../model/units.ts';
import { sum } from '../sum.ts';
import type { OfSources } from './rate-family.ts';

/** The definition's own shares of its sources: their weights made to sum to 1. */
export function configuredShares(sources: readonly { weight: number }[]): Weight[] {
  const total = sum(sources.map((source) => source.weight));
  return sources.map((source) => source.weight / total);
}

/** Shares in a column, NaN of a source that has none, as values. */
export function sharesOf(column: Float64Array): OfSources<Weight> {
  return Array.from(column, (share) => (Number.isNaN(share) ? undefined : share));
}
