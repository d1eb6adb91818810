import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { ApiKeyRow } from '../store/api-keys.ts';

/** The state of a request while it is answered. */
export interface Env {
  Variables: {
    requestId: string;
    /** Headers that the answer is to have. */
    headers: Record<string, string>;
    /** The path template that answers; absent where nothing does. */
    endpoint?: string;
    /** The organization of the key, on the authenticated tier. */
    account?: ApiKeyRow;
  };
}

/** What the node server hands over with a request; nothing where the application is called without it. */
type Handed = { incoming?: IncomingMessage; unreadable?: string } | undefined;

/** The request as the node server took it; absent where the application is called without one. */
export function incomingOf(context: Context<Env>): IncomingMessage | undefined {
  return (context.env as Handed)?.incoming;
}

/**
 * A header of the request, several of one name as one. Taken from what node has read: the platform's Headers take longer
 * than to find the route.
 */
export function headerOf(
  context: Context<Env>,
  name: 'accept-encoding' | 'if-none-match' | 'x-forwarded-for' | 'x-request-id',
): string | undefined {
  const incoming = incomingOf(context);
  return incoming ? incoming.headers[name]?.toString() : context.req.header(name);
}

/** An address with nothing at it, asked for in place of a request that cannot be read. */
export const UNREADABLE = 'http://unreadable/-';

/** What is wrong with the unreadable request that this one stands for; undefined of any other. */
export function unreadableOf(context: Context<Env>): string | undefined {
  return (context.env as Handed)?.unreadable;
}

/** The id of a request: the caller's own where it is one, else a new one. */
export function requestIdOf(context: Context<Env>): string {
  return context.get('requestId') ?? '';
}

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
  const all = { ...context.get('headers'), ...headers };
  if (context.req.method !== 'HEAD') return new Response(body, { status, headers: all });
  // The server counts what it sends; of a HEAD that is nothing.
  const isCounted = typeof body === 'string' || body instanceof Uint8Array;
  const length = isCounted ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
  return new Response(body, { status, headers: { ...all, ...length } });
}

/** A handler of a path. */
export type Handler = (context: Context<Env>) => Response | Promise<Response>;
