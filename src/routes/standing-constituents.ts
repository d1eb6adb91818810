import { pricedConstituents } from '../model/definitions/definition.ts';
import type { IndexDefinition } from '../model/definitions/index-definition.ts';
import type { IndexStanding } from '../model/print.ts';
import { findStanding } from '../store/prints/standings.ts';
import type { Reader } from '../store/store.ts';

/** The lines of an index's latest print; before the first print, the constituents that its definition includes. */
export function standingConstituents(
  reader: Reader,
  definition: IndexDefinition,
): readonly { market_id: string }[] {
  const standing = findStanding<IndexStanding>(reader, { kind: 'index', ticker: definition.ticker })?.body;
  return standing?.lines ?? pricedConstituents(definition);
}
