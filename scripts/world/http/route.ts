import type { World } from '../world.ts';

/** A request as the handlers see it: no sockets, no headers. */
export interface Ask {
  method: string;
  /** Path below the venue's prefix. */
  path: string;
  query: URLSearchParams;
  /** Named parts of the path, decoded. */
  params: Record<string, string>;
  body: string;
}

/** An answer: a value to be written as JSON, or a raw body. */
export interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** One route of a dialect: a method, a path with `:named` parts, and what it answers. */
export interface Route {
  method: 'GET' | 'POST';
  path: string;
  answer(world: World, ask: Ask): Reply;
}

/** A venue's routes under one prefix, with its body for an unknown path. */
export interface Dialect {
  prefix: string;
  routes: Route[];
  notFound(path: string): Reply;
}

/** Text or bytes that are sent unchanged. */
export interface RawBody {
  raw: string | Buffer;
}

/** A 200 answer. */
export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** Whether something read from a request is the answer that refuses it. */
export function isReply(value: object | undefined): value is Reply {
  return value !== undefined && 'status' in value && 'body' in value;
}

/** The value of a body in JSON; undefined when it is none. */
export function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The route of a method and path, with the named parts of the path; undefined when there is none. */
export function findRoute<R extends { method: string; path: string }>(
  routes: readonly R[],
  method: string,
  path: string,
): { route: R; params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = route.method === method ? matchPath(route.path, path) : undefined;
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return undefined;
  }
  return params;
}

/** An integer parameter, or its default when absent; undefined when invalid. */
export function readInteger(query: URLSearchParams, name: string, fallback: number): number | undefined {
  const text = query.get(name);
  if (text === null || text === '') return fallback;
  return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** A position in a list as an opaque cursor. */
export function writeCursor(position: number): string {
  return Buffer.from(`sim1.${position}`).toString('base64url');
}

/** The position in a cursor; 0 without one, undefined for an invalid one. */
export function readCursor(cursor: string | null): number | undefined {
  if (cursor === null || cursor === '') return 0;
  const match = /^sim1\.(\d{1,12})$/.exec(Buffer.from(cursor, 'base64url').toString());
  return match === null ? undefined : Number(match[1]);
}

/**
 * One page of the rows that pass a filter, from a position in the whole list; the cursor is a position, so a
 * walk meets every row once though the clock moves.
 *
 * @returns the rows and where the next page begins; `next` is absent after the last row
 */
export function takePage<Row>(
  rows: Row[],
  from: number,
  limit: number,
  passes: (row: Row) => boolean,
): { page: Row[]; next?: number } {
  const page: Row[] = [];
  for (let i = from; i < rows.length; i++) {
    const row = rows[i];
    if (row === undefined || !passes(row)) continue;
    if (page.length === limit) return { page, next: i };
    page.push(row);
  }
  return { page };
}
