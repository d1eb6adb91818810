import type { BasketDefinition, CompositeDefinition } from '../../model/definitions/index-definition.ts';
import { nextRebalance } from '../../model/definitions/rebalance-calendar.ts';
import type { IndexStanding, ReceiptLine } from '../../model/print.ts';
import { HALF_CENT, type Instant } from '../../model/units.ts';
import { isBelowHalfCent } from '../half-cent.ts';
import { sum } from '../sum.ts';
import { allocate } from './allocation.ts';
import type { FindSize } from './index-input.ts';
import { basketValue } from './ledger.ts';
import { hold, takesProceeds, takesUnspent } from './line-marks.ts';
import { rawWeights, targetShares, type WeightedConstituent } from './shares.ts';

/** A definition, with the sizes of its markets if it weights by them. */
export interface Weighing {
  definition: BasketDefinition | CompositeDefinition;
  sizeOf: FindSize;
}

/** The first scheduled rebalance since the weights were last set; Infinity if none is scheduled. */
export function dueRebalance(
  { weighting: { rebalances } }: Weighing['definition'],
  { constituted_at }: IndexStanding,
): Instant {
  return rebalances && constituted_at !== undefined
    ? nextRebalance(rebalances, constituted_at)
    : Number.POSITIVE_INFINITY;
}

/** The steps that change what a basket holds. None of them changes the level. */

/**
 * Sets all quantities from the constituents' marks; held constituents without a mark use their last good one.
 *
 * @param constituents those of `lines`, in the same order
 * @returns undefined if no constituent has a price
 */
export function constitute(
  { definition, sizeOf }: Weighing,
  constituents: readonly WeightedConstituent[],
  lines: readonly ReceiptLine[],
  level: number,
): IndexStanding | undefined {
  const priced = constituents.filter((_each, i) => lines[i]?.price !== undefined);
  if (priced.length === 0) return undefined;
  const prices = lines.flatMap((line) => line.price ?? []);
  const shares = targetShares(definition, priced, sizeOf);
  const byValue = definition.weighting.by === 'value';
  const { quantities, cash } = byValue
    ? allocate(prices.map((price, i) => ({ price, value: (shares[i] as number) * level })))
    : { quantities: rawWeights(definition, priced), cash: 0 };
  const bought = new Map(priced.map((each, i) => [each.market_id, quantities[i] as number]));
  const held = lines.map((line) => hold(line, bought.get(line.market_id) ?? 0));
  return { level, cash, lines: held, divisor: byValue ? 1 : basketValue(held) / level };
}

/**
 * Removes constituents at their last price. The proceeds are reinvested, by value, in the constituents that are live
 * and marked at half a cent or more: the divisor is reduced, and with it the cash and the quantities of all other
 * constituents. If no constituent can take the proceeds, they stay as cash.
 */
export function settle(standing: IndexStanding, leaving: readonly ReceiptLine[]): IndexStanding {
  const paid = basketValue(leaving);
  const lines = standing.lines.filter((line) => !leaving.includes(line));
  const taking = basketValue(lines.filter(takesProceeds));
  if (taking === 0) return { ...standing, lines, cash: standing.cash + paid };
  const growth = (taking + paid) / taking;
  return {
    ...standing,
    divisor: standing.divisor / growth,
    cash: standing.cash / growth,
    lines: lines.map((line) => (takesProceeds(line) ? line : { ...line, quantity: line.quantity / growth })),
  };
}

/**
 * Admits a constituent at its target share, or by the quantity as defined. The quantities of the others stay, the divisor
 * grows by the value added, and idle cash is spent. Below half a cent, the quantity for a share is calculated at 0.005,
 * and the rest of the share goes to the constituents above half a cent; if there are none, the divisor distributes it over
 * all.
 */
export function admit(
  { definition, sizeOf }: Weighing,
  constituents: readonly WeightedConstituent[],
  standing: IndexStanding,
  entering: ReceiptLine,
): IndexStanding {
  const price = entering.price ?? 0;
  const inside = standing.lines.filter((line) => line.quantity > 0);
  const others = basketValue(inside);
  const include = (quantity: number) => (line: ReceiptLine) =>
    line.market_id === entering.market_id ? hold(line, quantity) : line;
  const spendCash = (lines: ReceiptLine[]) => ({
    ...standing,
    lines,
    cash: 0,
    divisor: basketValue(lines) / standing.level,
  });
  if (definition.weighting.by === 'quantity') {
    const [quantity] = rawWeights(
      definition,
      constituents.filter((each) => each.market_id === entering.market_id),
    ) as [number];
    return spendCash(standing.lines.map(include(quantity)));
  }
  if (others === 0) {
    const lines = standing.lines.map(include((standing.level * standing.divisor) / price));
    return { ...standing, lines, cash: 0 };
  }
  const members = constituents.filter(
    (each) =>
      each.market_id === entering.market_id || inside.some((line) => line.market_id === each.market_id),
  );
  const shares = targetShares(definition, members, sizeOf);
  const place = members.findIndex((each) => each.market_id === entering.market_id);
  // 1 less its share would be 0 beside weights that are smaller by many powers of ten.
  const rest = sum(shares.filter((_share, i) => i !== place));
  const value = (others * (shares[place] as number)) / rest;
  const quantity = value / Math.max(price, HALF_CENT);
  const unspent = value - quantity * price;
  const above = basketValue(inside.filter(takesUnspent));
  const growth = isBelowHalfCent(price) && above > 0 ? 1 + unspent / above : 1;
  return spendCash(
    standing.lines
      .map((line) => (takesUnspent(line) ? { ...line, quantity: line.quantity * growth } : line))
      .map(include(quantity)),
  );
}
