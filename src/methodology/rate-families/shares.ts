import type { Weight } from '../../model/units.ts';
import { sum } from '../sum.ts';
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
  const shares = parts.map((part, i) => (readings[i] === undefined ? undefined : part));
  let total = 0;
  for (const part of shares) total += part ?? 0;
  if (!(total > 0)) return undefined;
  let price = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < shares.length; i++) {
    const part = shares[i];
    const mark = readings[i]?.mark;
    if (!part || !mark) continue;
    const share = part / total;
    shares[i] = share;
    if (share === 0) continue;
    price += mark.price * share;
    least = Math.min(least, mark.price);
    most = Math.max(most, mark.price);
  }
  // Rounding could leave the marks by a last digit.
  return { price: Math.min(most, Math.max(least, price)), shares };
}

/**
 * The mean by lifetime volumes. Where the volume of a source that entered is not known, or nothing has
 * traded, the definition's weights stand in for all: an unknown volume is not a volume of 0.
 *
 * @see Spec 2.5.1
 */
export function weighByVolume(
  readings: OfSources<SourceReading>,
  weights: readonly Weight[],
): Pricing | undefined {
  const volumes = readings.map((reading) => reading?.volume);
  const known = readings.every((reading, i) => reading === undefined || volumes[i] !== undefined);
  return (known ? weightedMean(readings, volumes) : undefined) ?? weightedMean(readings, weights);
}
