import type { RateDefinition } from '../model/definitions/rate-definition.ts';
import type { FindView, Payoff } from './contract-views.ts';
import { rateFamilyOf } from './rate-families/rate-families.ts';

/**
 * What a rate pays once every source that it represents has settled: their payoffs by their weights. By then the rate
 * no longer prints; an index that holds it treats this as its settlement.
 *
 * @returns undefined while a source has not settled
 * @example two equal sources that pay 1 and 0 give 0.5
 */
export function ratePayout(definition: RateDefinition, view: FindView): Payoff | undefined {
  let [paid, weights, last] = [0, 0, 0];
  for (const { market_id, weight, side } of rateFamilyOf(definition).represents) {
    const settled = view(market_id)?.paid;
    if (!settled) return undefined;
    paid += weight * (side === 'no' ? 1 - settled.payout : settled.payout);
    weights += weight;
    last = Math.max(last, settled.at);
  }
  return { payout: paid / weights, at: last };
}
