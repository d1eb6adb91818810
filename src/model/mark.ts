import type { Instant, Probability } from './units.ts';

/**
 * What a mark is based on, in the order of the codes in receipts. `stated`: the editor deleted the constituent at it.
 */
export const MARK_BASES = [
  'mid',
  'last',
  'bid',
  'ask',
  'floor',
  'settlement',
  'held',
  'print',
  'stated',
] as const;
export type MarkBasis = (typeof MARK_BASES)[number];

/** Bases of a final price, which does not age: a payoff, or a price stated by an editor. */
export type FinalBasis = 'settlement' | 'stated';

/** Whether a mark is the final price of its constituent. */
export function isFinal(basis: MarkBasis | undefined): basis is FinalBasis {
  return basis === 'settlement' || basis === 'stated';
}

/** Why a book is not used for an index, in the order of the checks; the first that fails is reported. */
export const EXCLUDE_REASONS = [
  'disputed',
  'halted',
  'no_book',
  'stale_quote',
  'crossed_book',
  'one_sided_book',
  'wide_spread',
] as const;
export type ExcludeReason = (typeof EXCLUDE_REASONS)[number];

/** The price used in calculations, with its basis and the instant of its observation. */
export interface Mark {
  price: Probability;
  basis: MarkBasis;
  observed_at: Instant;
  /** From the highest bid to the lowest ask, as a fraction; absent unless both sides are quoted. */
  spread?: Probability;
  /** Set when the last trade, which is the price, is outside the one remaining quote. */
  beyond_quote?: true;
}

/** Why there is no price. */
export type NoPrice = 'never_observed' | 'crossed_book' | 'not_active';
