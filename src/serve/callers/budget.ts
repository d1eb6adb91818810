import { LRUCache } from 'lru-cache';
import { ForemarkError } from '../../model/errors.ts';

/** The number of requests that a caller may make within a window. */
export interface BudgetLimit {
  requests: number;
  window_ms: number;
}

export interface BudgetState {
  allowed: boolean;
  remaining: number;
  /** Whole seconds until the window ends and the budget is whole again. */
  reset_seconds: number;
}

interface Spent {
  /** Milliseconds, by the clock that callers hand in, which never goes back. */
  since: number;
  count: number;
}

/** The most callers that are remembered. The longest idle are forgotten first, so active callers stay limited. */
const MOST_REMEMBERED = 100_000;

/** Counts requests by key in windows that begin with a key's first request. */
export class Budget {
  readonly limit: BudgetLimit;
  // Limited by size: with `max` the cache would allocate everything at once, which takes longer than the rest of the start.
  readonly #callers = new LRUCache<string, Spent>({ maxSize: MOST_REMEMBERED, sizeCalculation: () => 1 });

  constructor(limit: BudgetLimit) {
    this.limit = limit;
  }

  /**
   * Takes one request, or another cost, off a key's budget; a refused one takes nothing. The last one allowed may exceed
   * what is left.
   */
  spend(key: string, now: number, cost = 1): BudgetState {
    const { requests, window_ms } = this.limit;
    let spent = this.#callers.get(key);
    if (!spent || now - spent.since >= window_ms) {
      spent = { since: now, count: 0 };
      this.#callers.set(key, spent);
    }
    const allowed = spent.count < requests;
    if (allowed) spent.count += cost;
    return {
      allowed,
      remaining: requests - spent.count,
      reset_seconds: Math.ceil((spent.since + window_ms - now) / 1000),
    };
  }

  /** Refunds a request whose answer had nothing new. */
  giveBack(key: string): void {
    const spent = this.#callers.get(key);
    if (spent && spent.count > 0) spent.count--;
  }
}

/** The refusal of a caller whose budget is spent; the wait is a whole window, the longest it can take. */
export function overBudget({ window_ms }: BudgetLimit): ForemarkError {
  const seconds = Math.ceil(window_ms / 1000);
  return new ForemarkError('too_many_requests', `too many requests; wait ${seconds} seconds and retry`, {
    retryAfterSeconds: seconds,
  });
}

/**
 * The headers that tell a caller its budget.
 *
 * @see IETF draft on RateLimit header fields
 */
export function budgetHeaders(
  name: string,
  { requests, window_ms }: BudgetLimit,
  { remaining, reset_seconds }: BudgetState,
): Record<string, string> {
  return {
    'RateLimit-Policy': `"${name}";q=${requests};w=${Math.ceil(window_ms / 1000)}`,
    RateLimit: `"${name}";r=${remaining};t=${reset_seconds}`,
  };
}
