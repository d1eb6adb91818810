import { parsePrintedId } from '../../model/constituent-id.ts';

/** The part of a rate that names its markets. */
export interface Sourced {
  sources: readonly { market_id: string }[];
}

/**
 * The markets that decide the state of a constituent of an index: the market itself, or the sources of a rate, which
 * settles when they do.
 *
 * @param rates by ticker
 */
export function marketsBehind(id: string, rates: ReadonlyMap<string, Sourced>): string[] {
  const printed = parsePrintedId(id);
  if (!printed) return [id];
  const rate = printed.kind === 'rate' ? rates.get(printed.ticker) : undefined;
  return rate?.sources.map((each) => each.market_id) ?? [];
}
