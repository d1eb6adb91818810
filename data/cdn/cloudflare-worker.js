// Cloudflare worker in front of an R2 bucket. Bindings: DOCUMENTS (the bucket), PREFIX (part of it that is ours,
// '' or ending in a slash), ORIGIN (address of Foremark's server, whose settings have serve.trusted_hops 1). What is
// no document goes to the server.

const PUBLIC = '/api/v1/public/';

/** The object that a path names, or undefined when it is the server's to answer. */
export function objectOf(path) {
  if (path === '/') return '/index.html';
  // Who asks for outlet.json asks whether a server stands behind: the server says so.
  if (path === '/explorer/outlet.json') return undefined;
  if (/^\/(archive|bulk|cards|explorer)\/[A-Za-z0-9_~./-]+$/.test(path)) return path;
  if (path === '/index.html' || path === '/publication.json') return path;
  if (!path.startsWith(PUBLIC)) return undefined;
  const parts = path.slice(PUBLIC.length).split('/');
  if (parts.length > 3) return undefined;
  const keys = [];
  for (const part of parts) {
    let id;
    try {
      id = decodeURIComponent(part);
    } catch {
      return undefined;
    }
    const key = encodeURIComponent(id)
      .replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
      .replace(/%[0-9A-Fa-f]{2}/g, (byte) => byte.toLowerCase().replace('%', '~'));
    // Rare ids have an encoding of their own; the server knows it.
    if (key === '' || key.length > 180 || /^\.|\.\.|\.$|\.json(?![a-z0-9])/i.test(id)) return undefined;
    keys.push(key);
  }
  return `${PUBLIC}${keys.join('/')}.json`;
}

export default {
  async fetch(request, env, context) {
    const url = new URL(request.url);
    const plain = (request.method === 'GET' || request.method === 'HEAD') && url.search === '';
    const object = plain ? objectOf(url.pathname) : undefined;
    const origin = () => {
      const onward = new Request(env.ORIGIN + url.pathname + url.search, request);
      onward.headers.set('X-Forwarded-For', request.headers.get('CF-Connecting-IP') ?? '');
      return fetch(onward);
    };
    if (object === undefined) return origin();
    const cached = await caches.default.match(request);
    if (cached) return cached;
    const found = await env.DOCUMENTS.get(env.PREFIX + object.slice(1), { onlyIf: request.headers });
    if (!found) return origin();
    const headers = new Headers({ 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' });
    found.writeHttpMetadata(headers);
    headers.set('ETag', found.httpEtag);
    if (!('body' in found)) return new Response(null, { status: 304, headers });
    const response = new Response(request.method === 'HEAD' ? null : found.body, { headers });
    const store = !/no-store/.test(headers.get('Cache-Control') ?? '') && request.method === 'GET';
    if (store) context.waitUntil(caches.default.put(request, response.clone()));
    return response;
  },
};
