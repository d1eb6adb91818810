import type { Context } from 'hono';
import { ForemarkError } from '../../model/errors.ts';
import type { Middleware } from '../middleware.ts';
import { type Env, incomingOf } from '../request-context.ts';
import { Budget, type BudgetLimit, budgetHeaders, overBudget } from './budget.ts';
import { clientOf } from './client-address.ts';
import { UnreadAnswers } from './unread-answers.ts';

/** A /48 contains 65,536 clients (/64 networks); together they get this many times the budget of one. */
const WIDER = 10;

/** Bytes of answers that an address may leave unread. Not limited behind a proxy, which reads for everybody. */
const MOST_UNREAD = 64 * 1024 * 1024;

/** Name of the budget in the headers. */
const NAME = 'free';

/**
 * Charges each request to the budget of its address, and refuses it when the budget is spent or too many answers are
 * unread. A 304 and a browser's preflight cost nothing. Only refusals state the budget: caches keep the other answers and
 * would show one caller's budget to another.
 */
export function limitAddresses(
  limit: BudgetLimit & { trusted_hops: number },
  elapsed: () => number,
): Middleware {
  const clients = new Budget(limit);
  const unread = new UnreadAnswers();
  const networks = new Budget({ ...limit, requests: limit.requests * WIDER });
  return (handler) => (context) => {
    if (context.req.method === 'OPTIONS') return handler(context);
    const { key, wider } = clientOf(context, limit.trusted_hops);
    const spent = clients.spend(key, elapsed());
    if (!spent.allowed) throw tooMany(context, limit, spent);
    const socket = limit.trusted_hops === 0 ? incomingOf(context)?.socket : undefined;
    if (socket && unread.bytesFor(key, socket) > MOST_UNREAD) throw tooMuchUnread();
    const network = wider === undefined ? undefined : networks.spend(wider, elapsed());
    if (network && !network.allowed) {
      clients.giveBack(key);
      throw tooMany(context, limit, network);
    }
    const settle = (response: Response): Response => {
      if (response.status !== 304) return response;
      clients.giveBack(key);
      if (wider !== undefined) networks.giveBack(wider);
      return response;
    };
    const answer = handler(context);
    return answer instanceof Promise ? answer.then(settle) : settle(answer);
  };
}

function tooMuchUnread(): ForemarkError {
  const message = 'too many bytes of answers are still unread; read them, or retry in 10 seconds';
  return new ForemarkError('too_many_requests', message, { retryAfterSeconds: 10 });
}

function tooMany(
  context: Context<Env>,
  limit: BudgetLimit,
  state: Parameters<typeof budgetHeaders>[2],
): ForemarkError {
  Object.assign(context.get('headers'), budgetHeaders(NAME, limit, state));
  return overBudget(limit);
}
