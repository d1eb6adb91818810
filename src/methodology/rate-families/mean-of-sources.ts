import type { Instant, Probability } from '../../model/units.ts';
import { meanByParts } from './mean-by-parts.ts';
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
