import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ForemarkError } from '../../../src/model/errors.ts';
import { Searches } from '../../../src/serve/threads/searches.ts';
import { setCatalogState } from '../../../src/store/runs.ts';
import { openStore } from '../../../src/store/store.ts';
import { bearer, openSmallApp, type SmallApp } from '../../helpers/small-app.ts';
import { NOW, openSmallStore, SITES } from '../../helpers/small-store.ts';

let beside: SmallApp;
let inTurn: SmallApp;
let searches: Searches;
beforeAll(() => {
  inTurn = openSmallApp(openSmallStore());
  searches = new Searches(inTurn.small.path);
  beside = openSmallApp(inTurn.small, undefined, { searches });
});
afterAll(async () => {
  await searches.close();
  inTurn.small.close();
});

const PATHS = [
  '/markets?search=steady',
  '/markets?search=26&per_page=2&page=2',
  '/markets?search=26&sort=volume&per_page=3',
  '/events?search=things&embed=markets',
  '/markets?search=nothing+of+that',
  '/markets?sort=latest_price',
  '/markets?expires_after=2026-04-01',
  '/markets?per_page=500&page=21',
  '/events?sort=volume',
  '/events?embed=markets',
  '/events?sort=title&per_page=2&page=2',
];

describe('a search answered in its own thread', () => {
  it.each(PATHS)('has the same bytes and headers as without a thread: %s', async (path) => {
    for (const [base, headers] of [
      ['/api/v1/public', {}],
      ['/api/v1', bearer(inTurn.small.keys.acme)],
    ] as const) {
      const given = { ...headers, 'x-request-id': 'the-same-one' };
      const [theirs, ours] = [await inTurn.get(base + path, given), await beside.get(base + path, given)];
      expect(ours.status).toBe(200);
      expect([ours.text, [...ours.headers]]).toEqual([theirs.text, [...theirs.headers]]);
    }
  });

  it('[C/5] is a long one, of markets and events; the rest is answered at once', async () => {
    const asked: string[] = [];
    const app = openSmallApp(inTurn.small, undefined, {
      searches: {
        answer(request, asker) {
          asked.push(request.path);
          return searches.answer(request, asker);
        },
      },
    });
    for (const path of PATHS) await app.anyone(path);
    expect(asked).toEqual(PATHS.map((path) => path.replace(/\?.*/, '')));
    for (const path of ['/markets', '/markets?sort=volume&per_page=500&page=20', '/events', '/indices'])
      await app.anyone(path);
    expect(asked).toHaveLength(PATHS.length);
  });

  it.runIf(process.platform === 'linux')(
    'yields to what is answered at once where cores are few',
    async () => {
      const niceness = readdirSync('/proc/self/task').map((task) => {
        const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
      });
      const usual = getPriority();
      expect(niceness).toContain(usual);
      expect(niceness.filter((each) => each > usual)).toEqual([Math.min(19, usual + 15)]);
    },
  );

  it('is refused in the same words while the catalog rebuilds', async () => {
    const state = (name: 'rebuilding' | 'serving') =>
      inTurn.small.store.write((writer) => setCatalogState(writer, name, NOW));
    state('rebuilding');
    const { status, headers, body } = await beside.get('/api/v1/public/markets?search=steady');
    expect([status, body.error, headers.has('retry-after')]).toEqual([503, 'service_unavailable', true]);
    state('serving');
    expect((await beside.get('/api/v1/public/markets?search=steady')).status).toBe(200);
  });

  const asked = { path: '/markets', tier: 'public', id: '', now: NOW, sites: SITES } as const;
  const query = { search: 'steady', page: 1, per_page: 1 };

  it('is told to retry when it has waited too long', async () => {
    const impatient = new Searches(inTurn.small.path, 1);
    await expect(impatient.answer({ ...asked, query }, 'one')).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    await impatient.close();
  });

  it('that has waited too long gives its place to others', async () => {
    const impatient = new Searches(inTurn.small.path, 1);
    const askMany = () =>
      Promise.allSettled(Array.from({ length: 256 }, () => impatient.answer({ ...asked, query }, 'one')));
    await askMany();
    // None finds that too many wait: those of before are gone.
    const reasons = (await askMany()).flatMap((each) =>
      each.status === 'rejected' ? [each.reason.message] : [],
    );
    expect(reasons.filter((reason) => !reason.startsWith('searches take too long'))).toEqual([]);
    expect(reasons.length).toBeGreaterThan(200);
    await impatient.close();
  });

  it('is told to retry when its thread ends, and the next one has another thread', async () => {
    const all = Promise.allSettled(
      Array.from({ length: 256 }, () => searches.answer({ ...asked, query }, 'one')),
    );
    await searches.close();
    expect((await all).at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } });
    expect((await beside.get('/api/v1/public/markets?search=steady')).status).toBe(200);
  });

  it('that fails tells the operator as much as one without a thread, and the caller as little', async () => {
    const path = `${inTurn.small.path}.damaged`;
    const raw = new Database(inTurn.small.path);
    raw.exec(`VACUUM INTO '${path}'`);
    raw.close();
    const copy = new Database(path);
    const root = copy
      .prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'market_search'`)
      .pluck()
      .get();
    const from = (Number(root) - 1) * Number(copy.pragma('page_size', { simple: true }));
    copy.close();
    writeFileSync(path, readFileSync(path).fill(0xff, from, from + 100));
    const own = new Searches(path);
    const store = openStore(path, { readonly: true });
    const small = { ...inTurn.small, store };
    const apps = [openSmallApp(small), openSmallApp(small, undefined, { searches: own })];
    for (const app of apps) {
      const { status, body } = await app.get('/api/v1/public/markets?search=26');
      expect([status, body.message]).toEqual([500, 'something went wrong on our side']);
      expect(app.reported).toEqual([
        expect.objectContaining({
          code: 'store_unusable',
          message: expect.stringContaining('is damaged'),
          detail: expect.stringMatching('malformed'),
        }),
      ]);
    }
    store.close();
    await own.close();
    const none = new Searches(`${path}.none`).answer({ ...asked, query }, 'one');
    await expect(none).rejects.toBeInstanceOf(ForemarkError);
  });

  it('is told to retry when too many wait', async () => {
    const all = Array.from({ length: 257 }, () => searches.answer({ ...asked, query }, 'one'));
    expect(() => searches.answer({ ...asked, query }, 'one')).toThrow('too many searches wait');
    expect(new Set((await Promise.all(all)).map((each) => each?.text)).size).toBe(1);
  });

  it('takes turns with those of others, however many one caller has queued', async () => {
    const order: string[] = [];
    const ask = (asker: string) => searches.answer({ ...asked, query }, asker).then(() => order.push(asker));
    await Promise.all(['one', 'one', 'one', 'one', 'two', 'two', 'three'].map(ask));
    expect(order).toEqual(['one', 'one', 'two', 'three', 'one', 'two', 'one']);
  });

  it('gets room at the cost of the caller with the most waiting', async () => {
    const many = Array.from({ length: 257 }, () => searches.answer({ ...asked, query }, 'one'));
    const another = searches.answer({ ...asked, query }, 'two');
    await expect(many.at(-1)).rejects.toMatchObject({ code: 'service_unavailable' });
    expect((await another)?.text).toBe((await many[0])?.text);
    expect((await Promise.allSettled(many)).filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });

  it('takes its turn by account, and by address on the public tier', async () => {
    const askers: string[] = [];
    const app = openSmallApp(inTurn.small, undefined, {
      searches: {
        answer(request, asker) {
          askers.push(asker);
          return searches.answer(request, asker);
        },
      },
      addressBudget: { requests: 100, window_ms: 1000, trusted_hops: 1 },
    });
    await app.get('/api/v1/markets?search=steady', bearer(inTurn.small.keys.acme));
    for (const address of ['192.0.2.1', '192.0.2.2'])
      await app.get('/api/v1/public/markets?search=steady', { 'x-forwarded-for': address });
    expect(askers).toEqual(['organization acme', '192.0.2.1', '192.0.2.2']);
  });
});
