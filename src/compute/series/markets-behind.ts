import { parsePrintedId } from '../../model/constituent-id.ts';

/** A rate as far as the markets that it is made of go. */
export interface Sourced {
  sources: readonly { market_id: string }[];
}

/**
 * The markets whose state a constituent of an index is read from: itself, or the sources of a rate, which
 * settles with them.
 *
 * @param rates by ticker
 */
export function marketsBehind(id: string, rates: ReadonlyMap<string, Sourced>): string[] {
  const printed = parsePrintedId(id);
  if (!printed) return [id];
  const rate = printed.kind === 'rate' ? rates.get(printed.ticker) : undefined;
  return rate?.sources.map((each) => each.market_id) ?? [];
}
