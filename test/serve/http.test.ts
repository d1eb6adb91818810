import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ForemarkError } from '../../src/model/errors.ts';
import { upsertFeed } from '../../src/store/feeds.ts';
import { finishRun, insertRun } from '../../src/store/runs.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp } from '../helpers/small-app.ts';
import { NOW, put } from '../helpers/small-store.ts';

const app = ofEachTest(() =>
  openSmallApp(undefined, undefined, {
    isDraining: () => draining,
    keyBudget: { requests: 1000, window_ms: 10_000 },
  }),
);
let draining = false;
beforeEach(() => {
  for (let i = 0; i < 30; i++) put(app.small.store, { market_id: `venue_c:${i}`, question: `Paging ${i}` });
});

const own = () => bearer(app.small.keys.acme);

function linksOf(headers: Headers): Record<string, string> {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, url = '', rel = '']) => [rel, url]));
}

describe('the Link header', () => {
  it('[2.3/2] leads from page to page and keeps the other parameters', async () => {
    const { headers } = await app.get('/api/v1/public/markets?per_page=10&page=2&sort=volume');
    expect(linksOf(headers)).toEqual({
      first: '/api/v1/public/markets?page=1&per_page=10&sort=volume',
      prev: '/api/v1/public/markets?page=1&per_page=10&sort=volume',
      next: '/api/v1/public/markets?page=3&per_page=10&sort=volume',
      last: '/api/v1/public/markets?page=4&per_page=10&sort=volume',
    });
    const seen: unknown[] = [];
    for (let path: string | undefined = '/api/v1/public/events?per_page=2'; path; ) {
      const answer = await app.get(path);
      seen.push(...(answer.body.data as { event_id: string }[]).map((row) => row.event_id));
      path = linksOf(answer.headers).next;
    }
    expect(new Set(seen).size).toBe(5);
    expect(seen).toHaveLength(5);
  });

  it('has no last page where pages are not counted, and is absent from answers without pages', async () => {
    const { headers } = await app.get('/api/v1/public/markets?search=paging&per_page=10');
    expect(Object.keys(linksOf(headers))).toEqual(['first', 'next']);
    for (const path of ['/api/v1/public/indices/SMALL', '/api/v1/public/rates', '/api/v1/public/indices/NO'])
      expect((await app.get(path)).headers.get('link'), path).toBeNull();
  });

  it('is present on rates too once they are requested by page, by whichever parameter', async () => {
    const { headers, body } = await app.get('/api/v1/public/rates?per_page=1');
    expect(body.meta).toMatchObject({ page: 1, has_next: true });
    const { next = '' } = linksOf(headers);
    expect(next).toBe('/api/v1/public/rates?page=2&per_page=1');
    expect((await app.get(next)).body.meta).toMatchObject({ page: 2 });
    const sorted = await app.get('/api/v1/public/rates?sort=last');
    expect(linksOf(sorted.headers).first).toBe('/api/v1/public/rates?page=1&sort=last');
  });

  it('leads back from a page past the end to the last page, or the first where pages are not counted', async () => {
    const back = async (query: string) =>
      linksOf((await app.get(`/api/v1/public/markets?per_page=10&${query}`)).headers).prev;
    expect(await back('page=5')).toBe('/api/v1/public/markets?page=4&per_page=10');
    expect(await back('page=900')).toBe('/api/v1/public/markets?page=4&per_page=10');
    const sorted = 'search=paging&sort=volume';
    expect(await back(`page=900&${sorted}`)).toBe(`/api/v1/public/markets?page=3&per_page=10&${sorted}`);
    expect(await back('page=3&search=paging')).toContain('?page=2&');
    expect(await back('page=900&search=paging')).toContain('?page=1&');
    expect(await back('page=900&search=nowhere&sort=volume')).toContain('?page=1&');
    const events = await app.get('/api/v1/public/events?per_page=2&page=900');
    expect(linksOf(events.headers).prev).toBe('/api/v1/public/events?page=3&per_page=2');
  });

  it('is relative: no answer depends on the Host header', async () => {
    const plain = await app.get('/api/v1/public/markets?per_page=10');
    const other = await app.get('/api/v1/public/markets?per_page=10', {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'gopher',
    });
    expect(other.text).toBe(plain.text);
    expect(other.headers.get('link')).toBe(plain.headers.get('link'));
  });
});

describe('a deprecated parameter', () => {
  it('[9/1][4.2/1] start and end of events still work, and every answer to them says so', async () => {
    for (const [old, instead] of [
      ['start', 'created_since'],
      ['end', 'created_until'],
    ] as const) {
      const answer = await app.get(`/api/v1/events?${old}=2026-03-08`, own());
      expect(answer.headers.get('deprecation')).toBe(`@${Date.parse('2026-11-21T00:00:00Z') / 1000}`);
      expect(answer.headers.get('link')).toContain('</docs>; rel="deprecation"');
      const now = await app.get(`/api/v1/events?${instead}=2026-03-08`, own());
      expect(now.body).toEqual(answer.body);
      expect(now.headers.get('deprecation')).toBeNull();
      const exported = await app.get(`/api/v1/export/events/json?${old}=2026-03-08`, own());
      expect(exported.headers.get('deprecation')).toMatch(/^@\d+$/);
      expect(exported.body.data).toEqual(answer.body.data);
    }
  });

  it('[4.2/1][5/4] does not exist on the public list, which reads neither: a cache may leave both out of its key', async () => {
    const plain = await app.get('/api/v1/public/events?per_page=1');
    const asked = await app.get('/api/v1/public/events?per_page=1&start=2026-03-08&end=2026-03-09');
    expect(asked.text).toBe(plain.text);
    expect(asked.headers.get('link')).toBe(plain.headers.get('link'));
    expect(asked.headers.get('deprecation')).toBeNull();
  });
});

it('[C/5] the Link header names no parameter that is not read: a cache may leave it out of its key', async () => {
  const path = '/api/v1/public/indices?per_page=1&search=a%26b';
  const plain = (await app.get(path)).headers.get('link');
  expect(plain).toContain('search=a%26b');
  expect((await app.get(`${path}&token=of-somebody`)).headers.get('link')).toBe(plain);
});

describe('a compressed answer', () => {
  const PATH = '/api/v1/public/markets';
  const fetchBytes = async (accepted: string, more = {}) => {
    const response = await app.app.request(PATH, { headers: { 'Accept-Encoding': accepted, ...more } });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['*, br;q=0', 'gzip'],
    ['GZIP, BR;Q=0', 'gzip'],
    ['identity', null],
    ['identity, gzip;q=0.5', null],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity, br', 'br'],
    ['br;q=0', null],
    ['zstd', null],
    [';;,q', null],
  ])('to Accept-Encoding %s comes as %s, with the same text', async (accepted, encoding) => {
    const plain = await app.get(PATH);
    const { response, bytes } = await fetchBytes(accepted);
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toContain('Accept-Encoding');
    const open = { br: brotliDecompressSync, gzip: gunzipSync, plain: (all: Buffer) => all };
    expect(open[(encoding ?? 'plain') as keyof typeof open](bytes).toString()).toBe(plain.text);
  });

  it('has its own ETag, which matches in any encoding', async () => {
    const [br, gzip, plain] = [
      await fetchBytes('br'),
      await fetchBytes('gzip'),
      await fetchBytes('identity'),
    ];
    const etags = [br, gzip, plain].map(({ response }) => response.headers.get('etag') ?? '');
    expect(new Set(etags).size).toBe(3);
    for (const etag of etags)
      expect((await fetchBytes('gzip', { 'If-None-Match': etag })).response.status).toBe(304);
  });

  it.each(['/api/v1/openapi.json', '/docs', '/llms.txt'])('exists for %s too', async (path) => {
    const plain = await (await app.app.request(path)).text();
    const response = await app.app.request(path, { headers: { 'Accept-Encoding': 'br' } });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(brotliDecompressSync(Buffer.from(await response.arrayBuffer())).toString()).toBe(plain);
  });

  it('is not made from a short one', async () => {
    const { headers } = await app.get('/api/v1/public/markets?per_page=1', { 'Accept-Encoding': 'br' });
    expect(headers.get('content-encoding')).toBeNull();
  });
});

describe('every answer', () => {
  it('forbids sniffing, framing and following, and says as of when it is', async () => {
    for (const path of ['/api/v1/public/indices/SMALL', '/api/v1/public/indices/NO', '/nowhere', '/livez']) {
      const { headers } = await app.get(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
    expect((await app.get('/api/v1/public/indices')).headers.get('x-as-of')).toBe('2026-04-15T12:00:00Z');
  });

  it('has the label of the data if there is one, errors too', async () => {
    const labelled = openSmallApp(undefined, undefined, { label: 'simulated' });
    for (const path of [
      '/api/v1/public/indices/SMALL',
      '/api/v1/public/indices/NO',
      '/api/v1/rates',
      '/livez',
    ]) {
      expect((await labelled.get(path)).headers.get('x-data-label'), path).toBe('simulated');
      expect((await app.get(path)).headers.has('x-data-label'), path).toBe(false);
    }
    labelled.small.close();
  });

  it('of the authenticated tier shows what is left of the key’s budget', async () => {
    const [first, second] = [await app.get('/api/v1/rates', own()), await app.get('/api/v1/rates', own())];
    expect(first.headers.get('ratelimit-policy')).toBe('"key";q=1000;w=10');
    const left = (headers: Headers) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    expect(left(first.headers) - left(second.headers)).toBe(1);
  });
});

describe('the paths for operators', () => {
  it('count requests by path template and status, never by id', async () => {
    await app.get('/api/v1/public/indices/NO-SUCH-ID');
    const response = await app.app.request('/metrics');
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(text).toMatch(
      /^foremark_requests_total\{path="\/api\/v1\/public\/indices\/\{id\}",status="404"\} \d+$/m,
    );
    expect(text).not.toContain('NO-SUCH-ID');
  });

  it('show when a run last ended and a feed was last good, so that an alert knows what is late', async () => {
    const metrics = async () => (await app.app.request('/metrics')).text();
    const NAMES = /^foremark_(run_end|feed_good)_timestamp_seconds.*$/gm;
    expect(await metrics()).not.toMatch(NAMES);
    const feed = {
      message: null,
      rows_read: 1,
      rows_left_out: 0,
      requests: 1,
      bytes: 1,
      seconds: 1,
      day: null,
    };
    app.small.store.write((writer) => {
      for (const [outcome, after] of [
        ['partial', 1],
        ['failed', 2],
      ] as const)
        finishRun(writer, insertRun(writer, 'run', NOW - 9000), NOW - 9000 + after * 1000, outcome, {});
      upsertFeed(writer, { ...feed, feed: 'news/a', tried_at: NOW - 60_000, condition: 'good' });
      upsertFeed(writer, { ...feed, feed: 'news/a', tried_at: NOW, condition: 'failed' });
      upsertFeed(writer, { ...feed, feed: 'news/b', tried_at: NOW, condition: 'failed' });
    });
    expect((await metrics()).match(NAMES)).toEqual([
      `foremark_run_end_timestamp_seconds ${NOW / 1000 - 8}`,
      `foremark_feed_good_timestamp_seconds{feed="news/a"} ${NOW / 1000 - 60}`,
    ]);
    vi.spyOn(app.small.store, 'read').mockImplementationOnce(() => {
      throw new ForemarkError('store_unusable', 'a damaged page');
    });
    const damaged = await metrics();
    expect(damaged).not.toMatch(NAMES);
    expect(damaged).toContain('foremark_requests_total');
  });

  it('say not ready while a server shuts down, which still answers', async () => {
    draining = true;
    expect((await app.get('/readyz')).status).toBe(503);
    expect((await app.get('/livez')).status).toBe(200);
    const answer = await app.get('/api/v1/public/indices/SMALL');
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    draining = false;
    expect((await app.get('/readyz')).status).toBe(200);
  });
});
