import type { MiddlewareHandler } from 'hono';

/** The methods that every route answers. */
export const METHODS = 'GET, HEAD, OPTIONS';

const READABLE = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Retry-After, X-Data-Label, X-Request-Id',
};

const PREFLIGHT = {
  'Access-Control-Allow-Methods': METHODS,
  'Access-Control-Allow-Headers': 'If-None-Match, X-Request-Id',
  'Access-Control-Max-Age': '86400',
};

/** Lets a page of any origin read the answers of public routes, errors included; no credentials are taken. */
export const readableByAnyOrigin: MiddlewareHandler = async (context, next) => {
  await next();
  const headers = context.req.method === 'OPTIONS' ? { ...READABLE, ...PREFLIGHT } : READABLE;
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
};
