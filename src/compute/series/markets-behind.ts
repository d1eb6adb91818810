import { parsePrintedId } from '../../model/constituent-id.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';

/**
 * The markets whose state a constituent of an index is read from: itself, or the sources of a rate, which
 * settles with them.
 *
 * @param rates the rate definitions in force, by ticker
 */
export function marketsBehind(id: string, rates: ReadonlyMap<string, RateDefinition>): string[] {
  const printed = parsePrintedId(id);
  if (!printed) return [id];
  const rate = printed.kind === 'rate' ? rates.get(printed.ticker) : undefined;
  return rate?.sources.map((each) => each.market_id) ?? [];
}
