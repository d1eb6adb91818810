import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { publish } from '../../src/publish/publish.ts';
import { folderSink } from '../../src/publish/sinks/folder.ts';
import type { Sink } from '../../src/publish/sinks/sink.ts';
import { openSmallApp, type SmallApp } from '../small-app.ts';
import { book, IDS, NOW, observe, openSmallStore, SITES } from '../small-store.ts';

let app: SmallApp;
let sink: Sink;
const STEPS = [0, 1, 2, 3].map((step) => NOW + step * 6 * HOUR_MS);
const PATHS = [
  '/indices',
  '/indices/SMALL',
  '/indices/SMALL/prices',
  `/markets/${encodeURIComponent(IDS.steady)}`,
];
/** What the server answered live at each step, by path. */
const served = new Map<string, { text: string; etag: string | null }>();

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
    await publish({ store: small.store, sink, now, sites: SITES, label: '', progress: () => {} });
    for (const path of PATHS) {
      const { text, headers } = await app.get(`/api/v1/public${path}`);
      served.set(`${path} ${now}`, { text, etag: headers.get('etag') });
    }
  }
});
afterAll(() => app.small.close());

const ask = (path: string, at: number | string, headers = {}) =>
  app.get(`/api/v1/public${path}?as_of=${typeof at === 'number' ? new Date(at).toISOString() : at}`, headers);

describe('a public document as of an earlier instant', () => {
  it.each(PATHS)('[C/5] is byte for byte what was served then: %s', async (path) => {
    for (const [i, at] of STEPS.entries())
      for (const later of [0, 1, 5 * HOUR_MS]) {
        if (at + later > app.clock.now) continue;
        const { status, text, headers } = await ask(path, at + later);
        expect(status).toBe(200);
        expect(text).toBe(served.get(`${path} ${at}`)?.text);
        expect(headers.get('etag')).toBe(served.get(`${path} ${at}`)?.etag);
        expect(headers.get('x-generation')).toBe(String(i + 1));
        expect(headers.get('x-as-of')).toBe(new Date(at).toISOString().replace('.000Z', 'Z'));
      }
    expect(served.get(`${path} ${STEPS[0]}`)).not.toEqual(served.get(`${path} ${STEPS[3]}`));
  });

  it('is 304 for who has it already', async () => {
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

  it('is no parameter of the authenticated tier', async () => {
    const { latest_price } = await app.member('/indices/SMALL?as_of=2026-04-15T12:00:00Z');
    expect(latest_price).toBe((await app.member('/indices/SMALL')).latest_price);
  });
});
