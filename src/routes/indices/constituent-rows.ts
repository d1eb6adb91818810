import { definedShares } from '../../methodology/index-families/index-families.ts';
import { parsePrintedId } from '../../model/constituent-id.ts';
import { pricedConstituents } from '../../model/definitions/definition.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { IndexStanding, ReceiptLine } from '../../model/print.ts';
import { toCents, toLevel, toPlain } from '../../model/units.ts';
import { findStanding } from '../../store/prints/standings.ts';
import type { Reader } from '../../store/store.ts';
import { constituentName } from '../constituent-name.ts';
import { presentInstant } from '../present.ts';

/**
 * The constituent rows of an index at its latest print, or with the definition's shares before the first one. The weight is
 * 0 with a reason for a name whose book failed a check, and 0 for one without a price yet. Staged and settled names have
 * no row.
 *
 * @see Spec 2.4.1
 */
export function constituentRows(reader: Reader, definition: IndexDefinition) {
  const { ticker } = definition;
  const constituents = pricedConstituents(definition);
  const standing = findStanding<IndexStanding>(reader, { kind: 'index', ticker })?.body;
  if (!standing) {
    const shares = definedShares(definition);
    return constituents.map((each) => ({
      ...constituentName(each.market_id),
      groups: each.groups,
      weight: shares.get(each.market_id) ?? 0,
      excluded: false,
    }));
  }
  const groups = new Map(constituents.map((each) => [each.market_id, each.groups]));
  return standing.lines.map((line) => ({
    ...constituentName(line.market_id),
    groups: groups.get(line.market_id),
    weight: line.weight,
    excluded: line.state === 'excluded',
    exclude_reason: line.exclude_reason,
    ...markOf(line),
    basis: line.basis,
    observed_at: presentInstant(line.observed_at),
  }));
}

/** The mark of a line: a level if it is an index, otherwise a fraction and cents. */
function markOf({ market_id, price }: ReceiptLine) {
  if (price === undefined) return {};
  if (parsePrintedId(market_id)?.kind === 'index') return { level: toLevel(price) };
  return { mark_price: toPlain(price), mark: toCents(price) };
}
