import type { Instant, Probability } from './units.ts';

/** What a mark rests on, in the order in which receipts number it. `stated`: an editor took the name out at it. */
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

/** Bases of a price that is the name's last: a payoff, or what an editor states. It does not age. */
export type FinalBasis = 'settlement' | 'stated';

/** Whether a mark is its name's last price. */
export function isFinal(basis: MarkBasis | undefined): basis is FinalBasis {
  return basis === 'settlement' || basis === 'stated';
}

/** Why a book does not enter an index, in the order in which the first failed check is named. */
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

/** The price used to compute, with what it rests on and how old that is. */
export interface Mark {
  price: Probability;
  basis: MarkBasis;
  observed_at: Instant;
  /** Highest bid to lowest ask, as a fraction; absent without two sides. */
  spread?: Probability;
  /** A last trade that lies outside the one remaining quote. */
  beyond_quote?: true;
}

/** Why there is no price. */
export type NoPrice = 'never_observed' | 'crossed_book' | 'not_active';
