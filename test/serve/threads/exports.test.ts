import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ForemarkError } from '../../../src/model/errors.ts';
import { listen } from '../../../src/serve/listen.ts';
import { startExport } from '../../../src/serve/threads/exports.ts';
import { upsertMarkets } from '../../../src/store/catalog/catalog.ts';
import { setCatalogState } from '../../../src/store/runs.ts';
import { bearer, openSmallApp, type SmallApp } from '../../helpers/small-app.ts';
import { BASE, market, openSmallStore } from '../../helpers/small-store.ts';

function* endless(): Generator<string> {
  for (;;) yield 'so long that no buffer on the way takes all of it '.repeat(100);
}

async function* failing(): AsyncGenerator<string> {
  yield '{"data":[';
  await wait(50);
  throw new Error('the disk is gone');
}

/** What comes at once, on a machine that does much else meanwhile. */
const LONG = { timeout: 60_000 };

let beside: SmallApp;
let inTurn: SmallApp;
let store: string;
beforeAll(() => {
  inTurn = openSmallApp(openSmallStore());
  store = inTurn.small.path;
  beside = openSmallApp(inTurn.small, undefined, {
    startExport: (request, end) => startExport({ ...request, store }, end),
  });
});
afterAll(() => inTurn.small.close());

const headers = () => ({ ...bearer(inTurn.small.keys.acme), 'x-request-id': 'the-same-one' });

describe('[C/5] an export made in its own thread', () => {
  it.each(['markets/csv?sort=latest_price', 'events/ndjson?embed=markets', 'rates/json?start=2026-01-01'])(
    'has the same bytes and headers as without a thread: %s',
    async (path) => {
      const [theirs, ours] = await Promise.all(
        [inTurn, beside].map(({ app }) => app.request(`/api/v1/export/${path}`, { headers: headers() })),
      );
      expect(ours?.status).toBe(200);
      expect(ours && [...ours.headers]).toEqual(theirs && [...theirs.headers]);
      expect(await ours?.text()).toBe(await theirs?.text());
    },
  );

  it('ends with its reader, and frees its place among the four', async () => {
    const ask = () => beside.app.request('/api/v1/export/markets/json', { headers: headers() });
    const under = await Promise.all([ask(), ask(), ask(), ask(), ask()]);
    expect(under.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    await Promise.all(under.map(({ body }) => body?.cancel()));
    await expect.poll(async () => (await ask()).status, LONG).toBe(200);
    expect(beside.reported).toEqual([]);
  });

  it('that cannot begin takes none of the four places', async () => {
    const app = openSmallApp(inTurn.small, undefined, {
      startExport: () => {
        throw new Error('no thread');
      },
    });
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++)
      statuses.push((await app.get('/api/v1/export/markets/json', headers())).status);
    expect(statuses).toEqual([500, 500, 500, 500, 500, 500]);
  });

  it('comes in blocks, not row by row, and no letter is cut', async () => {
    const small = openSmallStore();
    const many = Array.from({ length: 500 }, (_, i) =>
      market({ market_id: `venue_a:many-${i}`, description: '€'.repeat(200) }),
    );
    small.store.write((writer) => upsertMarkets(writer, many, BASE, new Map()));
    const asked = {
      now: BASE,
      tier: 'authenticated',
      organization: 'acme',
      id: '',
      sites: {},
      query: {},
    } as const;
    const path = '/export/markets/{ext}';
    const stream = startExport({ ...asked, path, ext: 'ndjson', store: small.path }, () => {});
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    await once(stream, 'end');
    expect(pieces.length).toBeLessThan(20);
    const text = Buffer.concat(pieces).toString();
    expect(text.match(/"€{200}"/g)).toHaveLength(500);
    small.close();
  });

  it('answers 500 where its thread cannot begin, and the operator is told', async () => {
    const app = openSmallApp(inTurn.small, undefined, {
      startExport: (request, end) => startExport({ ...request, store: `${store}.none` }, end),
    });
    const { status, body } = await app.get('/api/v1/export/markets/json', headers());
    expect([status, body.error]).toEqual([500, 'internal_error']);
    // As one, it is told without a stack trace.
    expect(app.reported).toEqual([expect.any(ForemarkError)]);
  });

  it('[7/1][7/2] answers 503 where a rebuild begins before it does', async () => {
    const small = openSmallStore();
    const app = openSmallApp(small, undefined, {
      startExport: (request, end) => {
        small.store.write((writer) => setCatalogState(writer, 'rebuilding', BASE));
        return startExport({ ...request, store: small.path }, end);
      },
    });
    for (const path of ['markets/csv', 'events/ndjson']) {
      small.store.write((writer) => setCatalogState(writer, 'serving', BASE));
      const { status, headers, body } = await app.get(`/api/v1/export/${path}`, bearer(small.keys.acme));
      expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      expect(body).toMatchObject({
        error: 'service_unavailable',
        message: expect.stringMatching('rebuilding'),
      });
    }
    expect(app.reported).toEqual([]);
    small.close();
  });

  it('breaks off the connection where it fails later, and the operator is told once', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = openSmallApp(inTurn.small, undefined, {
      startExport: (_request, end) => Readable.from(failing(), { objectMode: false }).once('close', end),
    });
    const listening = await listen(app.app, { host: '127.0.0.1', port: 0 });
    const acme = { headers: bearer(inTurn.small.keys.acme) };
    const read = fetch(`${listening.origin}/api/v1/export/markets/json`, acme).then((answer) =>
      answer.text(),
    );
    await expect(read).rejects.toThrow();
    await listening.close();
    expect([app.reported.length, told.mock.calls]).toEqual([1, []]);
    told.mockRestore();
  });

  it('breaks off where it is not read in time, and the operator is told', async () => {
    const app = openSmallApp(inTurn.small, undefined, {
      startExport: (_request, end) => Readable.from(endless(), { objectMode: false }).once('close', end),
      exportLimitMs: 500,
    });
    const unread = await app.app.request('/api/v1/export/markets/json', { headers: headers() });
    await expect.poll(() => app.reported, LONG).toHaveLength(1);
    await expect(unread.text()).rejects.toThrow('it was not read within 0.5 seconds');
  });
});
