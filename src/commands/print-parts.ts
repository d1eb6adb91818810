import { loadRateHistory } from '../compute/series/load-rate-history.ts';
import { MarketReads } from '../compute/series/market-reads.ts';
import { isHalfCent } from '../methodology/rate-families/rate-families.ts';
import { medianParts, PART_MS } from '../methodology/rate-families/robust-median.ts';
import type { IndexDefinition } from '../model/definitions/index-definition.ts';
import type { RateDefinition } from '../model/definitions/rate-definition.ts';
import type { RatePrint } from '../model/print.ts';
import { formatInstant } from '../model/time.ts';
import type { Instant, Probability } from '../model/units.ts';
import type { Reader } from '../store/store.ts';

/** A stretch of time that a print is the mean of, with its price: a fraction. */
interface PrintPart {
  from: string;
  to: string;
  price: Probability;
  /** What the price is the median of. */
  of: 'trades' | 'marks';
}

/**
 * What a print of a robust median is the mean of, as far as was known when it was recorded; its receipt holds the sources
 * alone. Nothing of other families, nor of a print that stands in place of one without a price.
 */
export function printParts(
  reader: Reader,
  definition: IndexDefinition | RateDefinition | undefined,
  print: RatePrint & { recorded_at: Instant },
): PrintPart[] {
  if (definition?.methodology !== 'robust_median' || isHalfCent(print)) return [];
  const { at, recorded_at, lines } = print;
  const history = loadRateHistory(reader, definition, [at], new MarketReads(), recorded_at);
  const enters = (source: number) => lines[source]?.state === 'included';
  return medianParts(definition, enters, at, history).map(({ from, price, of }) => ({
    from: formatInstant(from),
    to: formatInstant(from + PART_MS),
    price,
    of,
  }));
}
