import { indexFamilyOf } from '../../methodology/index-families/index-families.ts';
import { indicesAmong } from '../../model/definitions/definition-links.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import { type Adopted, listIndexDefinitions } from '../../store/definitions/definitions.ts';
import type { Reader } from '../../store/store.ts';
import { everNamed, namedMembers } from './calculate-index.ts';

type Index = Adopted<IndexDefinition>;

/**
 * The indices in presentation order, except that each comes after the indices that it depends on: its constituents,
 * including former and future ones since the past may be recalculated, and the index at whose level it may open.
 */
export function listInCalculationOrder(reader: Reader): Index[] {
  // Present constituents take precedence over former ones: two indices may have changed places.
  const byPast = inOrder(listIndexDefinitions(reader), (ticker) => everNamed(reader, ticker));
  return inOrder(byPast, (ticker) => namedMembers(reader, ticker));
}

/** The tickers of the indices that one depends on: those among its constituents, and the one that it may open from. */
export function indicesBehind(definition: IndexDefinition, members: readonly string[]): string[] {
  return [...indicesAmong(members), indexFamilyOf(definition).opensFrom?.(definition) ?? []].flat();
}

/** @param namedBy the constituents of an index, by its ticker */
function inOrder(indices: readonly Index[], namedBy: (ticker: string) => readonly string[]): Index[] {
  const byTicker = new Map(indices.map((each) => [each.definition.ticker, each]));
  const ordered = new Set<Index>();
  const begun = new Set<string>();
  const place = (ticker: string) => {
    const each = byTicker.get(ticker);
    if (!each || begun.has(ticker)) return;
    begun.add(ticker);
    for (const used of indicesBehind(each.definition, namedBy(ticker))) place(used);
    ordered.add(each);
  };
  for (const ticker of byTicker.keys()) place(ticker);
  return [...ordered];
}
