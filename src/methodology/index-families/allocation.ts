import { HALF_CENT, type Probability } from '../../model/units.ts';
import { isAboveHalfCent, isBelowHalfCent } from '../half-cent.ts';
import { sum } from '../sum.ts';

/** A constituent to buy for a value, at its mark. */
export interface Target {
  price: Probability;
  value: number;
}

/**
 * The quantities that spend the targets' values at their marks. Below half a cent a quantity is calculated at 0.005;
 * what this leaves unspent goes to the constituents above half a cent in proportion to their values, else to all of
 * them, else it stays as cash.
 *
 * @returns one quantity per target, in their order, and the cash that could not be spent
 * @example allocate([{ price: 0.5, value: 10 }]) // { quantities: [20], cash: 0 }
 */
export function allocate(targets: readonly Target[]): { quantities: number[]; cash: number } {
  const wanted = sum(targets.map((each) => each.value));
  const quantities = targets.map((each) => each.value / Math.max(each.price, HALF_CENT));
  const spent = sum(targets.map((each, i) => each.price * (quantities[i] as number)));
  const under = targets.some((each) => isBelowHalfCent(each.price));
  if (!under) return { quantities, cash: 0 };
  const above = sum(targets.map((each) => (isAboveHalfCent(each.price) ? each.value : 0)));
  if (above > 0) {
    const growth = 1 + (wanted - spent) / above;
    return {
      quantities: quantities.map((n, i) => (isAboveHalfCent((targets[i] as Target).price) ? n * growth : n)),
      cash: 0,
    };
  }
  if (spent > 0) return { quantities: quantities.map((n) => (n * wanted) / spent), cash: 0 };
  return { quantities, cash: wanted };
}
