import type { IndexDefinition } from '../model/definitions/index-definition.ts';
import { hasLeft, type IndexPrint, type ReceiptLine } from '../model/print.ts';
import { indexFamilyOf } from './index-families/index-families.ts';

/** The performance of one group of constituents since a close. */
export interface GroupReturn {
  group: string;
  /** Share of the index: the sum of its constituents' published weights; 0 while all of them are held. */
  weight: number;
  /** Contribution of the group to the change of the level, in points (or gauge units). */
  point_change: number;
  /**
   * Return of the group, in percent: its own value's changes from print to print, linked, so that what a settlement or
   * reconstitution puts into a group or takes out of it is no return. Absent if the group had no value at the close.
   */
  percent_change?: number;
}

/**
 * The change of an index since a close, by groups. The change at each print is weighted by the quantities of the print
 * before, so that the groups' point changes add up to the change of a basket's level through every admission,
 * settlement and reconstitution. A group that has left since has weight 0.
 *
 * @param prints from the close to the latest print, both included, in time order
 * @param groupOf the group of a market
 * @param named the names with their published weights; those of the latest print unless all were held since
 * @see Spec 2.4, constituent_returns
 */
export function constituentReturns(
  prints: readonly IndexPrint[],
  groupOf: (marketId: string) => string,
  methodology: IndexDefinition['methodology'],
  named: readonly Pick<ReceiptLine, 'market_id' | 'weight'>[] = prints.at(-1)?.lines ?? [],
): GroupReturn[] {
  const [close] = prints;
  const latest = prints.at(-1);
  if (!close || !latest) return [];
  const { pointsPerMark } = indexFamilyOf({ methodology });
  const pointChange = new Map<string, number>();
  const growth = new Map<string, number>();
  for (let i = 1; i < prints.length; i++) {
    const [before, after] = [prints[i - 1] as IndexPrint, prints[i] as IndexPrint];
    const { value, moved } = movesOf(before, after, groupOf, pointsPerMark(before));
    for (const [group, points] of moved) {
      const own = value.get(group) ?? 0;
      addTo(pointChange, group, points);
      if (own > 0) growth.set(group, (growth.get(group) ?? 1) * (1 + points / own));
    }
  }
  const weights = new Map(named.map((each) => [each.market_id, each.weight]));
  const weight = new Map<string, number>();
  for (const market_id of new Set(latest.lines.map((line) => line.market_id)))
    addTo(weight, groupOf(market_id), weights.get(market_id) ?? 0);
  const valued = close.lines.filter(
    (line) => line.price !== undefined && line.price > 0 && line.quantity > 0 && !hasLeft(line),
  );
  const hadValue = new Set(valued.map((line) => groupOf(line.market_id)));
  return [...new Set([...weight.keys(), ...pointChange.keys()])].map((group) => ({
    group,
    weight: weight.get(group) ?? 0,
    point_change: pointChange.get(group) ?? 0,
    ...(hadValue.has(group) && { percent_change: 100 * ((growth.get(group) ?? 1) - 1) }),
  }));
}

/** The value of each group at a print, and its change up to the next by the quantities held at the first, in points. */
function movesOf(
  before: IndexPrint,
  after: IndexPrint,
  groupOf: (marketId: string) => string,
  pointsOf: (line: ReceiptLine) => number,
): { value: Map<string, number>; moved: Map<string, number> } {
  const value = new Map<string, number>();
  const moved = new Map<string, number>();
  const prices = new Map(after.lines.map((line) => [line.market_id, line.price]));
  for (const line of before.lines) {
    if (line.price === undefined || line.quantity === 0 || hasLeft(line)) continue;
    const group = groupOf(line.market_id);
    addTo(value, group, pointsOf(line) * line.price);
    const price = prices.get(line.market_id);
    if (price !== undefined) addTo(moved, group, pointsOf(line) * (price - line.price));
  }
  return { value, moved };
}

function addTo(sums: Map<string, number>, group: string, value: number): void {
  sums.set(group, (sums.get(group) ?? 0) + value);
}
