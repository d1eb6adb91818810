import { HALF_CENT, type Probability } from '../model/units.ts';

// Floating-point error must not put the mid of 0.1 and 0.9 cents below half a cent, nor a mean of half cents above it.
const NOISE = 1e-12;

/** Whether a mark is below half a cent. @example isBelowHalfCent((0.001 + 0.009) / 2) // false */
export function isBelowHalfCent(price: Probability): boolean {
  return price < HALF_CENT - NOISE;
}

/** Whether a mark is above half a cent. */
export function isAboveHalfCent(price: Probability): boolean {
  return price > HALF_CENT + NOISE;
}
