import { loadRateHistory } from '../../compute/series/load-rate-history.ts';
import { MarketReads } from '../../compute/series/market-reads.ts';
import { isHalfCent, rateFamilyOf } from '../../methodology/rate-families/rate-families.ts';
import type { PrintPart } from '../../methodology/rate-families/rate-family.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { RatePrint } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../../store/store.ts';

/**
 * The parts of which a rate's print is the mean, as known when it was recorded, for families that do not store them in
 * receipts. Empty for a half-cent print, and for the real price that replaced one, which is of a later hour.
 */
export function printParts(
  reader: Reader,
  definition: RateDefinition,
  print: RatePrint & { recorded_at: Instant },
): PrintPart[] {
  const { breakdown } = rateFamilyOf(definition);
  if (!breakdown || isHalfCent(print)) return [];
  const { at, recorded_at, lines } = print;
  const history = loadRateHistory(reader, definition, [at], new MarketReads(), recorded_at);
  return breakdown((source) => lines[source]?.state === 'included', at, history);
}
