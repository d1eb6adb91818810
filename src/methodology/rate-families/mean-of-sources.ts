import type { Instant, Probability } from '../../model/units.ts';
import type { MeanFamily } from './rate-family.ts';

/** The sources at an instant as columns; NaN where absent. */
interface SourceColumns {
  prices: Float64Array;
  /** Lifetime volumes, if the family weights by them. */
  volumes: Float64Array;
  enters(n: number): boolean;
}

/**
 * The mean of the sources that enter, weighted by lifetime volumes if the family does so, else by its parts. If the
 * volume of any of these sources is unknown, or nothing has traded, the parts are used for all: an unknown volume is
 * not a volume of 0.
 *
 * @param shares receives the share of each source that has a part, NaN for the others
 * @returns NaN if no part is above 0
 * @see Spec 2.5.1
 */
export function meanOfSources(
  { needs, parts }: MeanFamily,
  at: Instant,
  { prices, volumes, enters }: SourceColumns,
  shares: Float64Array,
): Probability {
  if (needs === 'volume') {
    let known = true;
    for (let n = 0; n < shares.length; n++) {
      const isIn = enters(n);
      shares[n] = isIn ? (volumes[n] as number) : Number.NaN;
      if (isIn && Number.isNaN(shares[n])) known = false;
    }
    const mean = known ? meanByParts(prices, shares) : Number.NaN;
    if (!Number.isNaN(mean)) return mean;
  }
  const given = parts(at);
  for (let n = 0; n < shares.length; n++) shares[n] = enters(n) ? (given[n] ?? Number.NaN) : Number.NaN;
  return meanByParts(prices, shares);
}

/**
 * The weighted mean of marks; the parts need not sum to 1.
 *
 * @param prices one per source
 * @param parts of each source that has one and a price, NaN for the others; overwritten by the shares, which sum to 1
 * @returns a price within the range of the marks, despite rounding; NaN if no part is above 0
 * @example meanByParts([0.4, 0.5], [1, 3]) // 0.475, the parts become [0.25, 0.75]
 */
export function meanByParts(prices: Float64Array, parts: Float64Array): Probability {
  let total = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as number;
    if (!Number.isNaN(part)) total += part;
  }
  if (!(total > 0)) return Number.NaN;
  let price = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < parts.length; i++) {
    const share = (parts[i] as number) / total;
    parts[i] = share;
    // Also true for NaN.
    if (!(share > 0)) continue;
    const mark = prices[i] as number;
    price += mark * share;
    least = Math.min(least, mark);
    most = Math.max(most, mark);
  }
  // Rounding could exceed the range of the marks in the last digit.
  return Math.min(most, Math.max(least, price));
}
