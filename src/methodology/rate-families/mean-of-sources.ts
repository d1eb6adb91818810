import type { Instant, Probability } from '../../model/units.ts';
import type { MeanFamily } from './rate-family.ts';

/** The sources of an instant, one array a column: NaN where absent. */
interface SourceColumns {
  prices: Float64Array;
  /** Lifetime volumes, where the family weighs by these. */
  volumes: Float64Array;
  enters(n: number): boolean;
}

/**
 * The mean of the sources that enter: by lifetime volumes where the family weighs by these, else by its parts. Where
 * the volume of a source that entered is not known, or nothing has traded, the parts stand in for all: an unknown
 * volume is not a volume of 0.
 *
 * @param shares takes the share of each source that has a part, NaN of any other
 * @returns NaN when no part is above 0
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
 * The mean of marks by parts that need not sum to 1.
 *
 * @param prices one a source
 * @param parts of each source that has one, with a price; NaN of any other. Becomes the shares, which sum to 1
 * @returns a price that lies within the marks, whatever rounding does; NaN when no part is above 0
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
    // Also where it is NaN.
    if (!(share > 0)) continue;
    const mark = prices[i] as number;
    price += mark * share;
    least = Math.min(least, mark);
    most = Math.max(most, mark);
  }
  // Rounding could leave the marks by a last digit.
  return Math.min(most, Math.max(least, price));
}
