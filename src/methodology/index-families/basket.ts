import { pricedConstituents } from '../../model/definitions/definition.ts';
import type { BasketDefinition, CompositeDefinition } from '../../model/definitions/index-definition.ts';
import { nextRebalance } from '../../model/definitions/rebalance-calendar.ts';
import type { IndexStanding, ReceiptLine } from '../../model/print.ts';
import { admit, constitute, dueRebalance, settle } from './basket-steps.ts';
import { basketStretch } from './basket-stretch.ts';
import { closeCalculation, openCalculation } from './held-calculation.ts';
import type { FamilyCalculation, IndexFamily } from './index-family.ts';
import type { IndexInput } from './index-input.ts';
import { basketValue, Ledger } from './ledger.ts';
import { depart, enter, LAST_STEPS, leavingLines, mark, pointsByQuantity } from './line-marks.ts';
import { linkHeld, readHeld } from './linked-members.ts';
import { readMember } from './member-readings.ts';
import { hasIncluded } from './published-lines.ts';
import { weighedNames, weighedShares } from './shares.ts';

/** What baskets of markets and of indices have in common. */
const heldByQuantities: Omit<IndexFamily<BasketDefinition | CompositeDefinition>, 'version'> = {
  open,
  advance,
  stretch: basketStretch,
  definedShares: weighedShares,
  priced: weighedNames,
  schedule({ name, weighting: { rebalances } }) {
    if (!rebalances) return undefined;
    const body = `${name} resets the weights of its constituents, as scheduled.`;
    return { event: 'Rebalance', body, next: (after) => nextRebalance(rebalances, after) };
  },
  pointsPerMark: pointsByQuantity,
};

/**
 * A basket holds quantities of its constituents: level = (sum of quantity × mark + cash) / divisor. Quantities change
 * only at the base, an admission, a settlement or a reconstitution, and none of these moves the level. A constituent
 * whose book fails a check stays at its last good mark, and does not move the level until its book is good again.
 */
export const basket: IndexFamily<BasketDefinition> = { version: 'basket-1.2', ...heldByQuantities };

/**
 * A composite is a basket of indices, held by their levels and weighted by categories. What moves a gauge without a move
 * of its prices changes the quantity held of it, not the level.
 */
export const composite: IndexFamily<CompositeDefinition> = { version: 'composite-1.2', ...heldByQuantities };

type Input = IndexInput<BasketDefinition | CompositeDefinition>;

/** The first print, from the constituents that have a good mark: by value shares, or by the quantities as defined. */
function open(input: Input): FamilyCalculation {
  const { definition, at } = input;
  const constituents = pricedConstituents(definition);
  const lines = constituents
    .map((each) => enter(each.market_id, readMember(input, each.market_id)))
    .filter((line) => line.state !== 'settled');
  const unsettled = constituents.filter((each) => lines.some((line) => line.market_id === each.market_id));
  const opened = constitute(input, unsettled, lines, definition.base_level);
  if (!opened) return { steps: [] };
  return openCalculation(at, { ...opened, constituted_at: at });
}

/** A later calculation: the level from the previous quantities, then the steps that are due. */
function advance(input: Input, before: IndexStanding): FamilyCalculation {
  const { definition, at } = input;
  const constituents = pricedConstituents(definition);
  const marked = before.lines.map((line) => mark(line, readHeld(input, line)));
  const ledger = new Ledger(at, {
    ...before,
    lines: marked,
    level: (basketValue(marked) + before.cash) / before.divisor,
  });
  const linked = linkHeld(input, before.lines, ledger);

  const paid: ReceiptLine[] = [];
  for (const reason of LAST_STEPS) {
    const leaving = leavingLines(ledger.standing.lines, reason);
    const held = leaving.filter((line) => line.quantity > 0);
    const after = leaving.length > 0 ? settle(ledger.standing, leaving) : ledger.standing;
    if (held.length > 0) ledger.step(reason, held, after);
    else ledger.standing = after;
    paid.push(...held);
  }

  // A series at 0 has ended: nothing can be bought with it.
  const goesOn = ledger.standing.level > 0;
  const departed = goesOn ? reweigh(input, ledger) : [];
  const named = new Set(constituents.map((each) => each.market_id));
  for (const line of ledger.standing.lines)
    if (goesOn && line.state === 'unpriced' && line.price !== undefined && named.has(line.market_id))
      ledger.step('admission', [line], admit(input, constituents, ledger.standing, line));

  // Of two lines of one constituent the last is the one as it was held before.
  return closeCalculation(input, before, ledger, [...paid, ...departed, ...linked]);
}

/** Sets all quantities again, if that is due. @returns the constituents removed by this */
function reweigh(input: Input, ledger: Ledger): ReceiptLine[] {
  const { reconstitute } = input;
  if (!reconstitute && dueRebalance(input.definition, ledger.standing) > input.at) return [];
  const { lines, level } = ledger.standing;
  const known = new Map(lines.map((line) => [line.market_id, line]));
  const members = pricedConstituents(input.definition).filter(
    (each) => readMember(input, each.market_id).kind !== 'settled',
  );
  const entering = members.map(
    ({ market_id }) => known.get(market_id) ?? enter(market_id, readMember(input, market_id)),
  );
  const after = constitute(input, members, entering, level);
  // Without an included constituent there would be no print: the step waits for a print that shows it.
  if (!after || !hasIncluded(after.lines)) return [];
  const stays = new Set(after.lines.map((line) => line.market_id));
  const departed = lines.filter((line) => line.quantity > 0 && !stays.has(line.market_id)).map(depart);
  const reason = reconstitute ? 'reconstitution' : 'rebalance';
  ledger.step(reason, [...after.lines, ...departed], { ...after, constituted_at: input.at });
  return departed;
}
