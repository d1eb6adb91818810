import { HALF_CENT, type Probability } from '../../model/units.ts';
import { sum } from '../sum.ts';

/** A name to buy, at its mark, for a value. */
export interface Target {
  price: Probability;
  value: number;
}

/**
 * The quantities that spend the targets' values at their marks. No quantity is set from a mark under half a
 * cent: 0.005 is used, and what that leaves unspent goes to the names above half a cent by their values, else
 * to all of them, else it stays cash.
 *
 * @returns one quantity a target, in their order, and the cash that nothing could take
 * @example allocate([{ price: 0.5, value: 10 }]) // { quantities: [20], cash: 0 }
 */
export function allocate(targets: readonly Target[]): { quantities: number[]; cash: number } {
  const wanted = sum(targets.map((each) => each.value));
  const quantities = targets.map((each) => each.value / Math.max(each.price, HALF_CENT));
  const spent = sum(targets.map((each, i) => each.price * (quantities[i] as number)));
  const under = targets.some((each) => each.price < HALF_CENT);
  if (!under) return { quantities, cash: 0 };
  const above = sum(targets.map((each) => (each.price > HALF_CENT ? each.value : 0)));
  if (above > 0) {
    const growth = 1 + (wanted - spent) / above;
    return {
      quantities: quantities.map((n, i) => ((targets[i] as Target).price > HALF_CENT ? n * growth : n)),
      cash: 0,
    };
  }
  if (spent > 0) return { quantities: quantities.map((n) => (n * wanted) / spent), cash: 0 };
  return { quantities, cash: wanted };
}
