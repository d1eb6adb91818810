import crypto from 'node:crypto';
import { utcDay } from '../model/time.ts';
import { errorResponse, isOurFault } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { type Handler, headerOf } from './request-context.ts';
import type { Serving } from './serving.ts';

/** Headers of every answer: a page may not run scripts of other origins, nor be framed. */
const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
};

/** A new request id: of version 7, which sorts by time, where Node knows it (from 24.16 on). */
const newId: () => string = crypto.randomUUIDv7 ?? crypto.randomUUID;

/** Wraps a handler in another one. */
export type Middleware = (handler: Handler) => Handler;

/**
 * Gives each request an id and the headers common to all answers, turns errors into answers, and counts the request.
 * Plain wrapping instead of Hono's middleware chain: a chain awaits at each step, and an answer that is ready at once
 * should be sent at once.
 */
export function requestMiddleware(
  { label, now, usage, isDraining, report }: Serving,
  metrics: Metrics,
): Middleware {
  const always = { ...ALWAYS, ...(label ? { 'X-Data-Label': label } : {}) };
  return (handler) => (context) => {
    const given = headerOf(context, 'x-request-id');
    const id = given && /^[A-Za-z0-9_-]{8,64}$/.test(given) ? given : newId();
    context.set('requestId', id);
    const headers: Record<string, string> = { ...always, 'X-Request-Id': id };
    if (isDraining?.()) headers.Connection = 'close';
    context.set('headers', headers);
    const started = performance.now();
    const note = (response: Response): Response => {
      const endpoint = context.get('endpoint');
      metrics.record(endpoint ?? 'other', response.status, (performance.now() - started) / 1000);
      const account = context.get('account');
      if (!usage || !account || endpoint === undefined || response.status === 429) return response;
      const day = utcDay(now());
      usage.record({ organization: account.organization, day, endpoint }, response.status < 400);
      return response;
    };
    const fail = (thrown: unknown): Response => {
      if (isOurFault(thrown)) report(thrown, id);
      return note(errorResponse(context, thrown));
    };
    try {
      const answer = handler(context);
      return answer instanceof Promise ? answer.then(note, fail) : note(answer);
    } catch (thrown) {
      return fail(thrown);
    }
  };
}
