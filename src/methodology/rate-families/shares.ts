import type { Weight } from '../../model/units.ts';
import { sum } from '../sum.ts';
import { meanByParts } from './mean-of-sources.ts';
import type { OfSources, Pricing, SourceReading } from './rate-family.ts';

/** The definition's own shares of its sources: their weights made to sum to 1. */
export function configuredShares(sources: readonly { weight: number }[]): Weight[] {
  const total = sum(sources.map((source) => source.weight));
  return sources.map((source) => source.weight / total);
}

/**
 * The mean of the marks by parts that need not sum to 1; undefined when no part is above 0.
 *
 * @param parts one a source, undefined where it has no part
 * @returns a price that lies within the marks, whatever rounding does, and shares that sum to 1
 */
export function weightedMean(
  readings: OfSources<SourceReading>,
  parts: OfSources<number>,
): Pricing | undefined {
  const prices = Float64Array.from(readings, (reading) => reading?.mark.price ?? Number.NaN);
  const shares = Float64Array.from(parts, (part, i) => (readings[i] && part) ?? Number.NaN);
  const price = meanByParts(prices, shares);
  if (Number.isNaN(price)) return undefined;
  return { price, shares: sharesOf(shares) };
}

/** Shares in a column, NaN of a source that has none, as values. */
export function sharesOf(column: Float64Array): OfSources<Weight> {
  return Array.from(column, (share) => (Number.isNaN(share) ? undefined : share));
}
