import type { Context } from 'hono';
import { ForemarkError } from '../../model/errors.ts';
import type { Middleware } from '../middleware.ts';
import type { Env } from '../request-context.ts';
import { Budget, type BudgetLimit, budgetHeaders, overBudget } from './budget.ts';
import { clientOf } from './client-address.ts';
import { UnreadAnswers } from './unread-answers.ts';

/** A /48 contains 65,536 clients (/64 networks); together they get this many times the budget of one. */
const WIDER = 10;

/**
 * The part of a window that the server spends on a network's answers of 304 for nothing. Finding one out takes as long as
 * any answer, and whoever sends `If-None-Match: *` gets no other.
 */
const FREE_SHARE = 0.1;

/** Name of the budget in the headers. */
const NAME = 'free';

/**
 * Charges each request to the budget of its address, and refuses it when the budget is spent or too many answers are
 * unread. A browser's preflight costs nothing, nor does a 304 until many of them have taken long. Only refusals state the
 * budget: caches keep the other answers and would show one caller's budget to another.
 */
export function limitAddresses(
  limit: BudgetLimit & { trusted_hops: number },
  elapsed: () => number,
): Middleware {
  const clients = new Budget(limit);
  const unread = new UnreadAnswers(limit.trusted_hops);
  const networks = new Budget({ ...limit, requests: limit.requests * WIDER });
  const unchanged = new Budget({ ...limit, requests: limit.window_ms * FREE_SHARE });
  return (handler) => (context) => {
    if (context.req.method === 'OPTIONS') return handler(context);
    const { key, wider } = clientOf(context, limit.trusted_hops);
    const began = elapsed();
    const spent = clients.spend(key, began);
    if (!spent.allowed) throw tooMany(context, limit, spent);
    unread.refuse(context, key);
    const network = wider === undefined ? undefined : networks.spend(wider, began);
    if (network && !network.allowed) {
      clients.giveBack(key);
      throw tooMany(context, limit, network);
    }
    const settle = (response: Response): Response => {
      if (response.status !== 304) return response;
      const ended = elapsed();
      if (!unchanged.spend(wider ?? key, ended, ended - began).allowed) return response;
      clients.giveBack(key);
      if (wider !== undefined) networks.giveBack(wider);
      return response;
    };
    const answer = handler(context);
    return answer instanceof Promise ? answer.then(settle) : settle(answer);
  };
}

/**
 * Refuses an address that has asked for too many things that do not exist, on paths that cost nothing else: each is
 * looked for anew, in a bucket by a request to it. A network as a whole has the budget of one address.
 */
export function limitMisses(
  limit: BudgetLimit & { trusted_hops: number },
  elapsed: () => number,
): Middleware {
  const misses = new Budget(limit);
  return (handler) => (context) => {
    const { key, wider = key } = clientOf(context, limit.trusted_hops);
    const state = misses.spend(wider, elapsed(), 0);
    if (!state.allowed) throw tooMany(context, limit, state);
    const answer = handler(context);
    if (!(answer instanceof Promise)) return answer;
    return answer.catch((thrown) => {
      if (thrown instanceof ForemarkError && thrown.code === 'not_found') misses.spend(wider, elapsed());
      throw thrown;
    });
  };
}

function tooMany(
  context: Context<Env>,
  limit: BudgetLimit,
  state: Parameters<typeof budgetHeaders>[2],
): ForemarkError {
  Object.assign(context.get('headers'), budgetHeaders(NAME, limit, state));
  return overBudget(limit);
}
