import type { Probability } from '../../../model/units.ts';

/** A price that one API generation gives in dollars and the other in cents; dollars are finer and take precedence. */
export function priceOf(dollars: number | undefined, cents: number | undefined): Probability | undefined {
  return dollars ?? (cents === undefined ? undefined : cents / 100);
}
