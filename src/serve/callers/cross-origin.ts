import type { Handler } from '../request-context.ts';

/** The methods that every route answers. */
export const METHODS = 'GET, HEAD, OPTIONS';

const READABLE = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Accept-Ranges, Content-Range, Deprecation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, X-As-Of, X-Data-Label, X-Generation, X-Request-Id',
};

const PREFLIGHT = {
  'Access-Control-Allow-Methods': METHODS,
  'Access-Control-Allow-Headers': 'If-Modified-Since, If-None-Match, If-Range, Range, X-Request-Id',
  'Access-Control-Max-Age': '86400',
};

/** Lets a page of any origin read the answers of public routes, errors included; no credentials are taken. */
export function allowAnyOrigin(handler: Handler): Handler {
  return (context) => {
    Object.assign(context.get('headers'), READABLE);
    if (context.req.method === 'OPTIONS') Object.assign(context.get('headers'), PREFLIGHT);
    return handler(context);
  };
}
