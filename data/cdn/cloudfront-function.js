// CloudFront function (runtime 2.0) for viewer requests. Two origins: `documents`, the bucket with its prefix as
// origin path, and `foremark`, the server, whose settings have serve.trusted_hops 1.
//
// Behaviours for /, /index.html, /publication.json, /archive/*, /bulk/*, /cards/*, /explorer/* and /api/v1/public/*
// have this function. Cache policy: query strings all in the key, no cookies, no headers, gzip and brotli; TTLs from
// Cache-Control, the least of them 0. Response headers policy: Managed-SimpleCORS. The default behaviour, for requests
// with a key and all others, has the origin `foremark`, no function, the cache policy Managed-CachingDisabled and the
// origin request policy Managed-AllViewerExceptHostHeader: without these no key reaches the server.
import cf from 'cloudfront';

const PUBLIC = '/api/v1/public/';

/** The object that a path names, or undefined when it is the server's to answer. */
function objectOf(path) {
  if (path === '/') return '/index.html';
  // Who asks for outlet.json asks whether a server stands behind: the server says so.
  if (path === '/explorer/outlet.json') return undefined;
  if (/^\/(archive|bulk|cards|explorer)\/[A-Za-z0-9_~./-]+$/.test(path)) return path;
  if (path === '/index.html' || path === '/publication.json') return path;
  if (!path.startsWith(PUBLIC)) return undefined;
  const parts = path.slice(PUBLIC.length).split('/');
  if (parts.length > 3) return undefined;
  const keys = [];
  for (let i = 0; i < parts.length; i++) {
    let id;
    try {
      id = decodeURIComponent(parts[i]);
    } catch (_) {
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

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by its name
function handler(event) {
  const request = event.request;
  const plain = request.method === 'GET' || request.method === 'HEAD';
  const object = plain && Object.keys(request.querystring).length === 0 ? objectOf(request.uri) : undefined;
  if (object === undefined) {
    cf.selectRequestOriginById('foremark');
    return request;
  }
  // A bucket that may not be listed says 403 of what it does not have; the server says why.
  cf.createRequestOriginGroup({
    originIds: [{ originId: 'documents' }, { originId: 'foremark' }],
    failoverCriteria: { statusCodes: [403, 404] },
  });
  request.uri = object;
  return request;
}
