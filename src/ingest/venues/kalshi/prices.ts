import type { Probability } from '../../../model/units.ts';

/** A price that one generation writes in dollars and the other in cents; the dollars are finer. */
export function priceOf(dollars: number | undefined, cents: number | undefined): Probability | undefined {
  return dollars ?? (cents === undefined ? undefined : cents / 100);
}
