import { parsePrintedId } from '../../model/constituent-id.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';

/**
 * Indices in an order in which each comes after those that it is made of: the indices among its constituents,
 * and for a team index the .K index that it may open at. Others keep their order.
 */
export function inCalculationOrder<Adopted extends { definition: IndexDefinition }>(
  indices: readonly Adopted[],
): Adopted[] {
  const byTicker = new Map(indices.map((each) => [each.definition.ticker, each]));
  const ordered = new Set<Adopted>();
  const begun = new Set<Adopted>();
  const place = (each: Adopted) => {
    if (begun.has(each)) return;
    begun.add(each);
    for (const ticker of madeOf(each.definition)) {
      const first = byTicker.get(ticker);
      if (first) place(first);
    }
    ordered.add(each);
  };
  for (const each of indices) place(each);
  return [...ordered];
}

/** The tickers of the indices that a definition is made of. */
function madeOf(definition: IndexDefinition): string[] {
  const among = definition.constituents.flatMap((each) => {
    const printed = parsePrintedId(each.market_id);
    return printed?.kind === 'index' ? [printed.ticker] : [];
  });
  return definition.methodology === 'nti' ? [...among, `${definition.ticker}.K`] : among;
}
