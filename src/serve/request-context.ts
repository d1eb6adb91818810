import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { formatInstant } from '../model/time.ts';
import type { ApiKeyRow } from '../store/api-keys.ts';
import type { Metrics } from './metrics.ts';
import type { Serving } from './serving.ts';

/** What is known of a request while it is answered. */
export interface Env {
  Variables: {
    requestId: string;
    /** What the answer is to say besides what it is. */
    headers: Record<string, string>;
    /** The path template that answers; absent where nothing does. */
    endpoint?: string;
    /** Whose key it is, on the authenticated tier. */
    account?: ApiKeyRow;
  };
}

/** The id of a request: the caller's own where it is one, else a new one. */
export function requestIdOf(context: Context<Env>): string {
  return context.get('requestId') ?? '';
}

/** What every answer says besides what it answers. No page of ours runs scripts of others or is framed. */
const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
};

/**
 * An answer with what the request's way here has added to its headers. They stay a plain record to the end: the
 * platform's Headers cost more than all else around an answer.
 */
export function reply(
  context: Context<Env>,
  body: ConstructorParameters<typeof Response>[0],
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  return new Response(body, { status, headers: { ...context.get('headers'), ...headers } });
}

/**
 * Gives a request its id and the headers that every answer has, then notes how it was answered. The headers are
 * set before it is answered: touching an answer afterwards makes it several times slower.
 */
export function startRequest(
  { label, now, usage, isDraining }: Serving,
  metrics: Metrics,
): MiddlewareHandler<Env> {
  const always = { ...ALWAYS, ...(label ? { 'X-Data-Label': label } : {}) };
  return async (context, next) => {
    const given = context.req.header('x-request-id');
    const id = given && /^[A-Za-z0-9_-]{8,64}$/.test(given) ? given : randomUUID();
    context.set('requestId', id);
    const headers: Record<string, string> = { ...always, 'X-Request-Id': id };
    if (isDraining?.()) headers.Connection = 'close';
    context.set('headers', headers);
    const started = performance.now();
    await next();
    const { status } = context.res;
    const endpoint = context.get('endpoint');
    metrics.record(endpoint ?? 'other', status, (performance.now() - started) / 1000);
    const account = context.get('account');
    if (!usage || !account || endpoint === undefined || status === 429) return;
    const day = formatInstant(now()).slice(0, 10);
    usage.record({ organization: account.organization, day, endpoint }, status < 400);
  };
}

/** What answers a path. */
export type Handler = (context: Context<Env>) => Response | Promise<Response>;
