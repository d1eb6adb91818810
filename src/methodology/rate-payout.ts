import type { RateDefinition } from '../model/definitions/rate-definition.ts';
import type { Probability } from '../model/units.ts';
import type { FindView, Payoff } from './contract-views.ts';

/**
 * What a rate pays once every source that it represents has settled: their payoffs by their catalog shares. A win total
 * represents the contracts of its own line, a chain its last contract. By then the rate no longer prints; an index that
 * holds it treats this as its settlement.
 *
 * @returns undefined while a source has not settled
 * @example two equal sources that pay 1 and 0 give 0.5
 */
export function ratePayout(definition: RateDefinition, view: FindView): Payoff | undefined {
  let [paid, shares, last] = [0, 0, 0];
  for (const { market_id, weight, pays } of payingSources(definition)) {
    const settled = view(market_id)?.paid;
    if (!settled) return undefined;
    paid += weight * pays(settled.payout);
    shares += weight;
    last = Math.max(last, settled.at);
  }
  return { payout: paid / shares, at: last };
}

interface PayingSource {
  market_id: string;
  weight: number;
  /** Converts the payoff of the contract's Yes side to that of the rate. */
  pays(payout: Probability): Probability;
}

function payingSources(definition: RateDefinition): PayingSource[] {
  const asItIs = (payout: Probability) => payout;
  switch (definition.methodology) {
    case 'win_total':
      return definition.sources
        .filter((source) => source.line === definition.line)
        .map(({ market_id, side }) => ({
          market_id,
          weight: 1,
          pays: side === 'yes' ? asItIs : (payout) => 1 - payout,
        }));
    case 'rolling':
      return definition.sources.slice(-1).map(({ market_id }) => ({ market_id, weight: 1, pays: asItIs }));
    default:
      return definition.sources.map(({ market_id, weight }) => ({ market_id, weight, pays: asItIs }));
  }
}
