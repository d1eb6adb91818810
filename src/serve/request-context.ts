import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';
import type { ApiKeyRow } from '../store/api-keys.ts';

/** The state of a request while it is answered. */
export interface Env {
  Variables: {
    /** The caller's own id if it is valid, otherwise a new one. */
    requestId: string;
    /** Headers to add to the answer. */
    headers: Record<string, string>;
    /** The path template that matched; absent if none did. */
    endpoint?: string;
    /** The key of the request, on the authenticated tier. */
    account?: ApiKeyRow;
  };
}

/** What the node server passes along with a request; nothing when the application is called directly. */
type Handed = { incoming?: IncomingMessage; unreadable?: string } | undefined;

/** The request as node received it; absent when the application is called directly. */
export function incomingOf(context: Context<Env>): IncomingMessage | undefined {
  return (context.env as Handed)?.incoming;
}

/**
 * A header of the request; several with one name are joined. Read from node's own request: building the platform's Headers
 * takes longer than routing.
 */
export function headerOf(
  context: Context<Env>,
  name:
    | 'accept-encoding'
    | 'if-modified-since'
    | 'if-none-match'
    | 'if-range'
    | 'range'
    | 'x-forwarded-for'
    | 'x-request-id',
): string | undefined {
  const incoming = incomingOf(context);
  return incoming ? incoming.headers[name]?.toString() : context.req.header(name);
}

const NO_VALUES: ReadonlyMap<string, readonly string[]> = new Map();

/** Every value of every parameter of a request. */
export function valuesOf({ req }: Context<Env>): ReadonlyMap<string, readonly string[]> {
  return req.url.includes('?') ? new Map(Object.entries(req.queries())) : NO_VALUES;
}

/** An address with nothing at it, requested in place of a request that cannot be read. */
export const UNREADABLE = 'http://unreadable/-';

/** What is wrong with the unreadable request that this one stands for; undefined for any other. */
export function unreadableOf(context: Context<Env>): string | undefined {
  return (context.env as Handed)?.unreadable;
}

/**
 * Makes a response with the headers collected so far. They stay a plain record to the end: the platform's Headers would
 * cost more than everything else around an answer.
 */
export function reply(
  context: Context<Env>,
  body: ConstructorParameters<typeof Response>[0],
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const all = { ...context.get('headers'), ...headers };
  if (context.req.method !== 'HEAD') return new Response(body, { status, headers: all });
  // The server sets the length of what it sends, which is nothing for HEAD.
  const isCounted = typeof body === 'string' || body instanceof Uint8Array;
  const length = isCounted ? { 'Content-Length': String(Buffer.byteLength(body)) } : {};
  return new Response(body, { status, headers: { ...all, ...length } });
}

export type Handler = (context: Context<Env>) => Response | Promise<Response>;

export type Mount = (path: string, handler: Handler) => void;
