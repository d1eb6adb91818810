import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/routes/routes.ts';
import { setCatalogState } from '../../src/store/runs.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp } from '../helpers/small-app.ts';
import { ID_OF, IDS, NOW } from '../helpers/small-store.ts';

const app = ofEachTest(openSmallApp);

/** What is looked at of the OpenAPI document. */
interface Description {
  paths: Record<string, { get: { responses: Record<string, DescribedResponse> } }>;
  components: { responses: Record<string, DescribedResponse> };
}
interface DescribedResponse {
  $ref?: string;
  headers?: object;
}

const PUBLIC = '/api/v1/public/indices/SMALL';
const OWN = '/api/v1/indices/SMALL';
const own = () => bearer(app.small.keys.all);

describe('the headers of an answer', () => {
  it('[1/3] say how long each tier may be cached, and that errors may not', async () => {
    const cacheOf = async (path: string, headers = {}) =>
      (await app.get(path, headers)).headers.get('cache-control');
    expect(await cacheOf(PUBLIC)).toBe('public, max-age=15, s-maxage=60, stale-while-revalidate=60');
    expect(await cacheOf(OWN, own())).toBe('private, no-cache');
    for (const path of ['/nowhere', '/api/v1/public/indices/NO', OWN, '/api/v1/public/indices?page=0'])
      expect(await cacheOf(path), path).toBe('no-store');
    expect((await app.get(OWN, own())).headers.get('vary')).toContain('Authorization');
  });

  it('[1/4] say that it is JSON, and carry the given request id or a new one, of the version that sorts by time', async () => {
    const given = await app.get(PUBLIC, { 'X-Request-Id': 'abc_DEF-12345' });
    expect(given.headers.get('content-type')).toBe('application/json');
    expect(given.headers.get('x-content-type-options')).toBe('nosniff');
    expect(given.headers.get('x-request-id')).toBe('abc_DEF-12345');
    for (const bad of ['short', 'x'.repeat(65), 'with space in it']) {
      const id = (await app.get(PUBLIC, { 'X-Request-Id': bad })).headers.get('x-request-id');
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  it('let any origin read public answers, errors included, and none read the others', async () => {
    for (const path of [
      PUBLIC,
      '/api/v1/public/indices/NO',
      '/api/v1/public/nowhere',
      '/api/v1/public/indices?page=0',
    ])
      expect(
        (await app.get(path, { Origin: 'https://evil.example' })).headers.get('access-control-allow-origin'),
        path,
      ).toBe('*');
    for (const [path, headers] of [
      [OWN, own()],
      [OWN, {}],
      ['/livez', {}],
    ] as const)
      expect(
        (await app.get(path, { Origin: 'https://evil.example', ...headers })).headers.get(
          'access-control-allow-origin',
        ),
      ).toBeNull();
  });

  it('[C/5] let a page of another origin read every header that is described, and send those that are read', async () => {
    const named = (headers: Headers, name: string) => headers.get(name)?.toLowerCase().split(', ') ?? [];
    const { paths, components } = (await app.get('/api/v1/openapi.json')).body as unknown as Description;
    const described = Object.entries(paths)
      .filter(([path]) => path.startsWith('/api/v1/public/'))
      .flatMap(([, { get }]) => Object.values(get.responses))
      .map((each) => components.responses[each.$ref?.split('/').at(-1) ?? ''] ?? each)
      .flatMap(({ headers = {} }) => Object.keys(headers));
    expect(described).toContain('Retry-After');
    const others = ['Accept-Ranges', 'Content-Range', 'Deprecation', 'X-Data-Label'];
    const expected = new Set([...described, ...others]);
    const read = named((await app.get(PUBLIC)).headers, 'access-control-expose-headers');
    expect(read.sort()).toEqual(Array.from(expected, (name) => name.toLowerCase()).sort());
    const { headers } = await app.get(PUBLIC, {}, 'OPTIONS');
    expect(named(headers, 'access-control-allow-headers').sort()).toEqual([
      'if-modified-since',
      'if-none-match',
      'if-range',
      'range',
      'x-request-id',
    ]);
    expect(headers.get('access-control-max-age')).toBe('86400');
  });

  it('let a page of another origin read the descriptions and their tags, and ask for changed ones alone', async () => {
    const openness = async (path: string, method: string) => {
      const { headers } = await app.app.request(path, { method });
      return [...headers].filter(([name]) => name.startsWith('access-control-'));
    };
    for (const path of ['/api/v1/openapi.json', '/docs', '/llms.txt'])
      for (const method of ['GET', 'OPTIONS'])
        expect(await openness(path, method), path).toEqual(await openness(PUBLIC, method));
    expect(await openness(PUBLIC, 'GET')).not.toEqual([]);
  });
});

describe('a conditional request', () => {
  it('is answered 304 without a body when nothing changed, on both tiers', async () => {
    for (const [path, headers] of [
      [PUBLIC, {}],
      [OWN, own()],
    ] as const) {
      const first = await app.get(path, headers);
      const etag = first.headers.get('etag') ?? '';
      expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
      for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await app.get(path, { ...headers, 'If-None-Match': condition });
        expect([again.status, again.text], condition).toEqual([304, '']);
        expect(again.headers.get('etag')).toBe(etag);
        expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'));
      }
    }
  });

  it('is answered in full for another ETag, and errors are never 304', async () => {
    expect((await app.get(PUBLIC, { 'If-None-Match': '"0"' })).status).toBe(200);
    expect((await app.get('/api/v1/public/indices/NO', { 'If-None-Match': '*' })).status).toBe(404);
    const before = (await app.get('/api/v1/public/indices/QUIET')).headers.get('etag') ?? '';
    app.clock.now++;
    expect((await app.get('/api/v1/public/indices/QUIET', { 'If-None-Match': before })).status).toBe(200);
  });
});

describe('methods', () => {
  it('[1/4] HEAD has the status and headers of GET and no body', async () => {
    for (const path of [PUBLIC, '/api/v1/public/indices/NO']) {
      const [get, head] = [
        await app.get(path, { 'X-Request-Id': 'same-request' }),
        await app.get(path, { 'X-Request-Id': 'same-request' }, 'HEAD'),
      ];
      expect(head.text).toBe('');
      expect(head.status).toBe(get.status);
      // That of GET is counted by the server.
      const length = { 'content-length': String(Buffer.byteLength(get.text)) };
      expect(Object.fromEntries(head.headers)).toEqual({ ...Object.fromEntries(get.headers), ...length });
    }
  });

  it('[1/4] OPTIONS answers 204 with what is allowed on every route, and lets browsers use public ones', async () => {
    for (const route of routes)
      for (const tier of route.tiers) {
        const path = `/api/v1${tier === 'public' ? '/public' : ''}${route.path.replace('{id}', 'x')}`;
        const answer = await app.get(path, {}, 'OPTIONS');
        expect([answer.status, answer.text], path).toEqual([204, '']);
        expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
        expect(answer.headers.get('access-control-allow-methods')).toBe(
          tier === 'public' ? 'GET, HEAD, OPTIONS' : null,
        );
      }
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '[1/4] %s is refused with what is allowed, even without a key',
    async (method) => {
      for (const path of [PUBLIC, OWN]) {
        const answer = await app.get(path, {}, method);
        expect(answer.status).toBe(405);
        expect(answer.body).toMatchObject({ error: 'method_not_allowed', request_id: expect.any(String) });
        expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
      }
    },
  );
});

describe('errors', () => {
  it('[7/3] have a code, a message, the request id, and details when a parameter is at fault', async () => {
    const missing = await app.get('/api/v1/public/indices/NO%22PE', { 'X-Request-Id': 'request-1' });
    expect(missing.text).toBe(
      JSON.stringify({
        error: 'not_found',
        message: 'nothing is known under the id "NO\\"PE"',
        request_id: 'request-1',
      }),
    );
    const wrong = await app.get('/api/v1/public/indices?window=2d', { 'X-Request-Id': 'request-2' });
    expect(wrong.body).toEqual({
      error: 'invalid_parameter',
      message: 'window must be one of 1d, 7d, 30d, 90d, got "2d"',
      request_id: 'request-2',
      details: [{ param: 'window', reason: 'window must be one of 1d, 7d, 30d, 90d, got "2d"' }],
    });
  });

  it.each([
    '/',
    '/api/v1',
    '/api/v1/public',
    '/api/v1/public/indices/',
    '/api/v1/public//indices',
    '/api/v1/public/INDICES',
    '/api/v1/public/indices/SMALL/nothing',
    '/api/v2/public/indices',
    '/api/v1/public/markets/%zz',
    '/api/v1/public/markets/%00',
    `/api/v1/public/markets/${'x'.repeat(5000)}`,
  ])('%s is not found, in the same shape', async (path) => {
    const { status, body } = await app.get(path);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      error: 'not_found',
      message: expect.any(String),
      request_id: expect.any(String),
    });
  });

  it('a percent-encoded id is decoded once', async () => {
    const encoded = encodeURIComponent(IDS.wild);
    expect((await app.get(`/api/v1/public/markets/${encoded}`)).body.market_id).toBe(IDS.wild);
    expect((await app.get(`/api/v1/public/markets/${encodeURIComponent(encoded)}`)).status).toBe(404);
  });

  it('[3/2][4.1/3][7/1] while the catalog rebuilds the market lists answer 503, and nothing else does', async () => {
    app.small.store.write((writer) => setCatalogState(writer, 'rebuilding', NOW));
    for (const route of routes)
      for (const tier of route.tiers) {
        const id = ID_OF[route.path.split('/')[1] ?? ''] ?? '';
        const path = `/api/v1${tier === 'public' ? '/public' : ''}${route.path.replace('{id}', id)}`;
        const answer = await app.get(path, tier === 'public' ? {} : own());
        expect(answer.status, path).toBe(route.path === '/markets' ? 503 : 200);
        if (answer.status === 200) continue;
        expect(answer.body).toMatchObject({
          error: 'service_unavailable',
          message: 'the catalog is rebuilding; retry in a few seconds',
        });
        expect(answer.headers.get('retry-after')).toBe('5');
        expect(answer.headers.get('cache-control')).toBe('no-store');
      }
    expect((await app.get('/readyz')).body).toEqual({ catalog: 'rebuilding', draining: false });
    expect((await app.get('/livez')).status).toBe(200);
    app.small.store.write((writer) => setCatalogState(writer, 'serving', NOW));
    expect((await app.get('/readyz')).body).toEqual({ catalog: 'serving', draining: false });
  });
});

describe('an internal error', () => {
  it('is a fixed text to the caller and reported in full to the operator', async () => {
    app.small.store.close();
    const { status, text } = await app.get(PUBLIC, { 'X-Request-Id': 'request-9' });
    expect(status).toBe(500);
    expect(text).toBe(
      '{"error":"internal_error","message":"something went wrong on our side","request_id":"request-9"}',
    );
    expect(app.reported).toHaveLength(1);
    expect(String(app.reported[0])).toContain('database');
  });

  it('includes a damaged store, and no mistake of a caller', async () => {
    const damaged = new Database(app.small.path);
    damaged.exec(
      'DROP TRIGGER holdings_stand; UPDATE holdings SET market_keys = zeroblob(length(market_keys))',
    );
    damaged.close();
    const { status, body } = await app.get(PUBLIC);
    expect(status).toBe(500);
    expect(body).toMatchObject({ error: 'internal_error', message: 'something went wrong on our side' });
    expect(app.reported).toMatchObject([{ code: 'store_unusable' }]);
    await app.get('/nowhere');
    await app.get(OWN);
    await app.get('/api/v1/public/rates?page=0');
    expect(app.reported).toHaveLength(1);
  });

  it('includes a state of another shape, by its name, and other indices are answered', async () => {
    app.small.store.write((writer) =>
      writer.run("UPDATE standings SET body = '{}' WHERE kind = 'index' AND ticker = 'SMALL'"),
    );
    expect((await app.get('/api/v1/public/indices/SMALL/constituents')).status).toBe(500);
    const message = expect.stringContaining('the state of SMALL at 2026-04-15T12:00:00Z cannot be read');
    expect(app.reported).toMatchObject([{ code: 'store_unusable', message }]);
    expect((await app.get('/api/v1/public/indices/QUIET/constituents')).status).toBe(200);
  });
});
