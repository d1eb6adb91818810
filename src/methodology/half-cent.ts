import { HALF_CENT, type Probability } from '../model/units.ts';
import { exceeds } from './rounding.ts';

/** Whether a mark is below half a cent. @example isBelowHalfCent((0.001 + 0.009) / 2) // false */
export function isBelowHalfCent(price: Probability): boolean {
  return exceeds(HALF_CENT, price);
}

export function isAboveHalfCent(price: Probability): boolean {
  return exceeds(price, HALF_CENT);
}
