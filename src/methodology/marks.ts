import type { MarketStatus } from '../model/catalog.ts';
import type { ExcludeReason, Mark, NoPrice } from '../model/mark.ts';
import { HOUR_MS } from '../model/time.ts';
import { HALF_CENT, type Instant } from '../model/units.ts';
import type { ContractView, SeenContract } from './contract-views.ts';

/**
 * The mark of one contract by the ladder: the mid of two uncrossed sides; of one side the last trade, else
 * the remaining quote; of none the last trade, else half a cent while it is active. A crossed book gives the
 * last trade or nothing. A settled contract is marked at what it pays.
 *
 * @returns why there is no price, when there is none; it is never made 0 or 50
 * @see Spec 2.5.2
 * @example markOf({ status: 'active', book: { bid: 0.4, ask: 0.5, observed_at: 0 } }) // 0.45, mid
 */
export function markOf(view: ContractView): Mark | NoPrice {
  const { book, last } = view;
  if (view.status === 'settled' && view.payout !== undefined)
    return { price: view.payout, basis: 'settlement', observed_at: view.settled_at ?? 0 };
  const traded: Mark | undefined = last && { ...last, basis: 'last' };
  if (!book) return traded ?? 'never_observed';
  const { bid, ask, observed_at } = book;
  if (bid !== undefined && ask !== undefined) {
    const spread = ask - bid;
    if (bid > ask) return traded ?? 'crossed_book';
    return { price: (bid + ask) / 2, basis: 'mid', observed_at, spread };
  }
  if (traded) {
    const beyond = (bid !== undefined && traded.price < bid) || (ask !== undefined && traded.price > ask);
    return beyond ? { ...traded, beyond_quote: true } : traded;
  }
  if (bid !== undefined) return { price: bid, basis: 'bid', observed_at };
  if (ask !== undefined) return { price: ask, basis: 'ask', observed_at };
  return view.status === 'active' ? { price: HALF_CENT, basis: 'floor', observed_at } : 'not_active';
}

/** Whether the ladder found a price. */
export function isMark(found: Mark | NoPrice): found is Mark {
  return typeof found !== 'string';
}

/** Limits beyond which a book does not enter an index. */
export interface BookLimits {
  max_spread_cents: number;
  max_quote_age_hours: number;
}

// 20 cents must not become "over 20" by the binary noise of 0.6 - 0.4.
const NOISE = 1e-9;

/**
 * The first check that a contract's book fails for an index, or undefined when it passes. A contract that has
 * only a price history has no book to check: it passes while it trades.
 */
export function failedCheck(view: ContractView, at: Instant, limits: BookLimits): ExcludeReason | undefined {
  const { status, book, last } = view;
  const { bid = Number.NaN, ask = Number.NaN, observed_at = Number.NaN } = book ?? {};
  return failedBook({ bid, ask, book_at: observed_at, last: last?.price ?? Number.NaN }, status, at, limits);
}

/** The same of numbers, NaN where absent. */
export function failedBook(
  { bid, ask, book_at, last }: Pick<SeenContract, 'bid' | 'ask' | 'book_at' | 'last'>,
  status: MarketStatus,
  at: Instant,
  limits: BookLimits,
): ExcludeReason | undefined {
  if (status === 'disputed') return 'disputed';
  if (status !== 'active') return 'halted';
  if (Number.isNaN(book_at)) return Number.isNaN(last) ? 'no_book' : undefined;
  const [hasBid, hasAsk] = [!Number.isNaN(bid), !Number.isNaN(ask)];
  if (!hasBid && !hasAsk) return 'no_book';
  if (at - book_at > limits.max_quote_age_hours * HOUR_MS) return 'stale_quote';
  if (!hasBid || !hasAsk) return 'one_sided_book';
  if (bid > ask) return 'crossed_book';
  return (ask - bid) * 100 > limits.max_spread_cents + NOISE ? 'wide_spread' : undefined;
}
