import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compute } from '../../../src/compute/compute.ts';
import { ForemarkError } from '../../../src/model/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../../../src/model/time.ts';
import { folderSink } from '../../../src/publish/sinks/folder.ts';
import type { Sink } from '../../../src/publish/sinks/sink.ts';
import { documentKey } from '../../../src/routes/document-key.ts';
import { publishStore } from '../../helpers/publish-store.ts';
import { openSmallApp, type SmallApp } from '../../helpers/small-app.ts';
import {
  adopt,
  book,
  IDS,
  INDICES,
  NOW,
  observe,
  openSmallStore,
  put,
  RATES,
} from '../../helpers/small-store.ts';

let app: SmallApp;
let sink: Sink;
const STEPS = [0, 1, 2, 3].map((step) => NOW + step * 6 * HOUR_MS);
const LATE = 'venue_a:KXLATE-26';
/** Steps from which on a market is listed, and an index is withdrawn. */
const LISTED_AT = 1;
const WITHDRAWN_AT = 2;

const pathOf = (route: string, id: string) => ({
  path: route.replace('{id}', encodeURIComponent(id)),
  key: documentKey(route, id),
});
/** Documents and their bytes at each step: the same letter means the same bytes. */
const DOCUMENTS = [
  { what: 'a list that changes', ...pathOf('/indices', ''), stood: 'abcd' },
  { what: 'one that changes', ...pathOf('/indices/{id}', 'SMALL'), stood: 'abcd' },
  { what: 'one that grows', ...pathOf('/indices/{id}/prices', 'SMALL'), stood: 'abcd' },
  { what: 'a market that moves', ...pathOf('/markets/{id}', IDS.steady), stood: 'abcd' },
  { what: 'one that does not change', ...pathOf('/markets/{id}', IDS.settled), stood: 'aaaa' },
  { what: 'an empty list', ...pathOf('/markets/{id}/news', IDS.settled), stood: 'aaaa' },
  { what: 'one that is listed later', ...pathOf('/markets/{id}', LATE), stood: '-aaa' },
  { what: 'one that is withdrawn', ...pathOf('/indices/{id}', 'GAUGE.K'), stood: 'aa--' },
];
/** What the server answered live at each step, and the file that was published then, by path. */
const served = new Map<
  string,
  { status: number; text: string; etag: string | null; published: string | undefined }
>();

beforeAll(async () => {
  const small = openSmallStore();
  sink = folderSink(join(small.folder, 'public'));
  app = openSmallApp(small, sink);
  for (const [i, now] of STEPS.entries()) {
    app.clock.now = now;
    if (i > 0) {
      observe(small.store, IDS.steady, [book(now, 0.4 + i / 10)]);
      compute(small.store, now, () => {});
    }
    if (i === LISTED_AT) put(small.store, { market_id: LATE }, now);
    if (i === WITHDRAWN_AT) {
      const left = INDICES.filter((each) => each.ticker !== 'GAUGE.K');
      adopt(small.store, left, RATES, now);
    }
    await publishStore(small.store, sink, now);
    for (const { path, key } of DOCUMENTS) {
      const { status, text, headers } = await app.get(`/api/v1/public${path}`);
      const published = (await sink.read(key))?.toString();
      served.set(`${path} ${now}`, { status, text, etag: headers.get('etag'), published });
    }
  }
});
afterAll(() => app.small.close());

const ask = (path: string, at: number | string, headers = {}) =>
  app.get(`/api/v1/public${path}?as_of=${typeof at === 'number' ? new Date(at).toISOString() : at}`, headers);

describe('a public document as of an earlier instant', () => {
  it.each(DOCUMENTS)('[C/5] is byte for byte what was served then: $what', async ({ path, stood }) => {
    const texts = new Map<string, string>();
    for (const [i, at] of STEPS.entries()) {
      const then = served.get(`${path} ${at}`);
      const letter = stood[i] ?? '';
      expect(then?.status).toBe(letter === '-' ? 404 : 200);
      expect(then?.published).toBe(letter === '-' ? undefined : then?.text);
      for (const later of [0, 1, 5 * HOUR_MS]) {
        if (at + later > app.clock.now) continue;
        const { status, text, headers, body } = await ask(path, at + later);
        if (letter === '-') {
          expect({ status, error: body.error }).toEqual({ status: 404, error: 'not_found' });
          continue;
        }
        expect(status).toBe(200);
        expect(text).toBe(then?.text);
        expect(text).toBe(texts.get(letter) ?? text);
        texts.set(letter, text);
        expect(headers.get('etag')).toBe(then?.etag);
        expect(headers.get('x-generation')).toBe(String(i + 1));
        expect(headers.get('x-as-of')).toBe(new Date(at).toISOString().replace('.000Z', 'Z'));
      }
    }
    // Different letters mean different bytes.
    expect(new Set(texts.values()).size).toBe(texts.size);
    expect(await ask(path, NOW - 1)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });

  it('is cacheable for an hour, but only briefly while a publish with an earlier clock may be under way', async () => {
    const { path } = DOCUMENTS[4] as (typeof DOCUMENTS)[number];
    const { now } = app.clock;
    const keptFor = async (at: number) => (await ask(path, at)).headers.get('cache-control');
    expect(await keptFor(now)).toBe('public, max-age=15');
    expect(await keptFor(now - 15 * MINUTE_MS + 1)).toBe('public, max-age=15');
    expect(await keptFor(now - 15 * MINUTE_MS)).toBe('public, max-age=3600');
  });

  it('[8/1] is cacheable for a quarter of an hour in all where it is a related list, as the live one is', async () => {
    const path = `/markets/${encodeURIComponent(IDS.settled)}/news`;
    const live = (await app.get(`/api/v1/public${path}`)).headers.get('cache-control');
    expect(live).toContain('max-age=300');
    expect((await ask(path, NOW)).headers.get('cache-control')).toBe(live);
    expect((await ask(path, app.clock.now)).headers.get('cache-control')).toBe('public, max-age=15');
  });

  it('is 304 when it is already cached', async () => {
    const etag = served.get(`/indices ${STEPS[1]}`)?.etag ?? '';
    expect(await ask('/indices', STEPS[1] ?? 0, { 'If-None-Match': etag })).toMatchObject({
      status: 304,
      text: '',
    });
  });

  it.each([
    ['before the first publication', '/indices', NOW - 1, 404, 'not_found'],
    ['of an id that was not there', '/indices/NONE', NOW, 404, 'not_found'],
    ['of an instant to come', '/indices', NOW + 99 * HOUR_MS, 400, 'invalid_parameter'],
    ['of no instant', '/indices', 'yesterday', 400, 'invalid_parameter'],
    ['beside another parameter', '/indices', '2026-04-15T12:00:00Z&page=2', 400, 'unsupported_parameter'],
    ['twice', '/indices', '2026-04-15T12:00:00Z&as_of=2026-04-15T12:00:00Z', 400, 'invalid_parameter'],
  ])('is refused %s', async (_, path, at, status, error) => {
    expect(await ask(path, at)).toMatchObject({ status, body: { error } });
  });

  it('is to be retried when the archive cannot be read, and the operator is told why', async () => {
    const why = new ForemarkError('sink_unavailable', 'bucket of ours: no answer');
    const broken = openSmallApp(openSmallStore(), { read: () => Promise.reject(why) });
    for (const path of ['/api/v1/public/indices?as_of=2026-04-15T12:00:00Z', '/explorer/names.json', '/']) {
      const { status, headers, body } = await broken.get(path);
      expect([status, headers.get('retry-after'), body]).toMatchObject([
        503,
        '5',
        { error: 'service_unavailable', message: 'the archive cannot be read; retry in a few seconds' },
      ]);
      expect(broken.reported.pop()).toBe(why);
    }
    broken.small.close();
  });

  it('is not a parameter of the authenticated tier', async () => {
    const { latest_price } = await app.member('/indices/SMALL?as_of=2026-04-15T12:00:00Z');
    expect(latest_price).toBe((await app.member('/indices/SMALL')).latest_price);
  });
});
