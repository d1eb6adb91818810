import type { RateDefinition } from '../model/rate-definition.ts';
import type { Instant, Probability } from '../model/units.ts';
import type { FindView } from './contract-views.ts';

/**
 * What a rate pays once every one of its sources has settled: their payoffs in the rate's catalog shares. The
 * rate prints no more by then; an index that holds it takes this as its settlement.
 *
 * @returns undefined while a source has not settled
 * @example two equal sources that pay 1 and 0 give 0.5
 */
export function ratePayout(
  { sources }: RateDefinition,
  view: FindView,
): { payout: Probability; at: Instant } | undefined {
  let [paid, shares, last] = [0, 0, 0];
  for (const { market_id, weight } of sources) {
    const found = view(market_id);
    if (found?.status !== 'settled' || found.payout === undefined) return undefined;
    paid += weight * found.payout;
    shares += weight;
    last = Math.max(last, found.settled_at ?? 0);
  }
  return { payout: paid / shares, at: last };
}
