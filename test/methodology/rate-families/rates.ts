// Rates and their sources as the tests of this folder write them.
import type { ContractView, FindView } from '../../../src/methodology/contract-views.ts';
import { printRate } from '../../../src/methodology/rate-families/print-rate.ts';
import { rateFamilyOf } from '../../../src/methodology/rate-families/rate-families.ts';
import { NO_HISTORY, type RateHistory } from '../../../src/methodology/rate-families/rate-history.ts';
import { type RateDefinition, rateDefinition } from '../../../src/model/definitions/rate-definition.ts';
import type { RatePrint } from '../../../src/model/print.ts';
import { rate } from '../../helpers/hand-definitions.ts';

export const AT = Date.parse('2026-11-02T15:00:00Z');

/** A definition with the fields that a test does not care for. */
export function defineRate(fields: { methodology: string } & Record<string, unknown>): RateDefinition {
  return rateDefinition.parse(rate('RATE', [], { start_at: '2026-01-01T00:00:00Z', ...fields }));
}

/** An active contract with a book of no width at a price, seen at an instant. */
export function priced(price: number, observed_at = AT): ContractView {
  return { status: 'active', observed_at, book: { bid: price, ask: price, observed_at } };
}

/** The print at AT of sources with some prices (undefined: unknown contract) and volumes, by market. */
export function printAt(
  definition: RateDefinition,
  prices: Record<string, number | undefined>,
  volumes: Record<string, number | undefined> = {},
  at = AT,
): RatePrint | undefined {
  const view: FindView = (id) => {
    const price = prices[id];
    return price === undefined ? undefined : priced(price, at);
  };
  const history: RateHistory = { ...NO_HISTORY, volume: (id) => volumes[id] };
  return printRate(rateFamilyOf(definition), definition, view, at, history);
}

export const [A, B, C, D] = ['venue_a:A', 'venue_b:B', 'venue_a:C', 'venue_a:D'] as const;
