import type { MarketStatus } from '../model/catalog.ts';
import type { ExcludeReason, Mark, NoPrice } from '../model/mark.ts';
import { HOUR_MS } from '../model/time.ts';
import { fromCents, HALF_CENT, type Instant, type Probability } from '../model/units.ts';
import type { ContractView, SeenContract } from './contract-views.ts';
import { exceeds } from './rounding.ts';

/**
 * The mark of one contract by the ladder. Two uncrossed sides give the mid; one side gives the last trade, else the
 * remaining quote; no side gives the last trade, else half a cent while the contract is active. A crossed book gives
 * the last trade or nothing. A settled contract is marked at its payoff.
 *
 * @returns the mark, or the reason why there is none; a missing price never becomes 0 or 50
 * @see Spec 2.5.2
 * @example markOf({ status: 'active', book: { bid: 0.4, ask: 0.5, observed_at: 0 } }) // 0.45, mid
 */
export function markOf(view: ContractView): Mark | NoPrice {
  const { paid, last } = view;
  if (paid) return { price: paid.payout, basis: 'settlement', observed_at: paid.at };
  const seen = seenPrices(view);
  const { bid, ask, book_at: observed_at } = seen;
  const basis = ladderBasis(seen, view.status);
  if (!isLadderBasis(basis)) return basis;
  const price = priceBy(basis, seen);
  if (basis === 'mid') return { price, basis, observed_at, spread: ask - bid };
  // Without two sides a last trade comes first.
  if (!last) return { price, basis, observed_at };
  const traded: Mark = { price, basis, observed_at: last.observed_at };
  const crossed = bid > ask;
  return !crossed && (price < bid || price > ask) ? { ...traded, beyond_quote: true } : traded;
}

/** The ladder's bases, for a contract that is not settled. */
export type LadderBasis = 'mid' | 'last' | 'bid' | 'ask' | 'floor';

/** The prices that the ladder uses; NaN where absent. */
type SeenPrices = Pick<SeenContract, 'bid' | 'ask' | 'book_at' | 'last'>;

function seenPrices({ book, last }: ContractView): SeenPrices {
  const { bid = Number.NaN, ask = Number.NaN, observed_at = Number.NaN } = book ?? {};
  return { bid, ask, book_at: observed_at, last: last?.price ?? Number.NaN };
}

/** The basis of a contract's mark by the ladder, or why there is no mark. */
export function ladderBasis(
  { bid, ask, book_at, last }: SeenPrices,
  status: MarketStatus,
): LadderBasis | NoPrice {
  // Neither comparison holds with an absent side.
  if (bid <= ask) return 'mid';
  if (!Number.isNaN(last)) return 'last';
  if (Number.isNaN(book_at)) return 'never_observed';
  if (bid > ask) return 'crossed_book';
  if (!Number.isNaN(bid)) return 'bid';
  if (!Number.isNaN(ask)) return 'ask';
  return status === 'active' ? 'floor' : 'not_active';
}

export function isLadderBasis(found: LadderBasis | NoPrice): found is LadderBasis {
  return found === 'mid' || found === 'last' || found === 'bid' || found === 'ask' || found === 'floor';
}

/** The price of a mark on a given basis. */
export function priceBy(basis: LadderBasis, { bid, ask, last }: SeenPrices): Probability {
  switch (basis) {
    case 'mid':
      return (bid + ask) / 2;
    case 'last':
      return last;
    case 'bid':
      return bid;
    case 'ask':
      return ask;
    case 'floor':
      return HALF_CENT;
  }
}

export function isMark(found: Mark | NoPrice): found is Mark {
  return typeof found !== 'string';
}

/** Limits beyond which an index does not use a book. */
export interface BookLimits {
  max_spread_cents: number;
  max_quote_age_hours: number;
}

/**
 * The first check that a contract's book fails for an index; undefined if it passes. A contract with only a price
 * history has no book to check, and passes while it trades.
 */
export function failedCheck(view: ContractView, at: Instant, limits: BookLimits): ExcludeReason | undefined {
  return failedBook(seenPrices(view), view.status, at, limits);
}

/** Like {@link failedCheck}, on plain numbers that are NaN where absent. */
export function failedBook(
  { bid, ask, book_at, last }: SeenPrices,
  status: MarketStatus,
  at: Instant,
  limits: BookLimits,
): ExcludeReason | undefined {
  if (status === 'disputed') return 'disputed';
  if (status !== 'active') return 'halted';
  if (Number.isNaN(book_at)) return Number.isNaN(last) ? 'no_book' : undefined;
  const hasBid = !Number.isNaN(bid);
  const hasAsk = !Number.isNaN(ask);
  if (!hasBid && !hasAsk) return 'no_book';
  if (at - book_at > limits.max_quote_age_hours * HOUR_MS) return 'stale_quote';
  if (!hasBid || !hasAsk) return 'one_sided_book';
  if (bid > ask) return 'crossed_book';
  return exceeds(ask - bid, fromCents(limits.max_spread_cents)) ? 'wide_spread' : undefined;
}
