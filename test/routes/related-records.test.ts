import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/model/time.ts';
import { listNearRecords } from '../../src/store/relations/neighbours.ts';
import { DAY_BEFORE, FIRST_PUBLIC_DAY, filing } from '../helpers/filings-store.ts';
import { basket, index, rate } from '../helpers/hand-definitions.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { OLD_FILING, openRelatedApp, putArticles, putFilings } from '../helpers/related-store.ts';
import { adopt, NOW, relateAll } from '../helpers/small-store.ts';

const SINCE = { base_at: '2026-04-01T00:00:00Z' };
const OF_COIN = { start_at: SINCE.base_at, sources: [{ market_id: 'venue_c:150' }] };

let at: number;
beforeEach(() => {
  at = NOW;
});
const app = ofEachTest(() => openRelatedApp({ now: () => at }));

interface Row {
  news_id?: string;
  filing_id?: number;
  market_id?: string;
  via_market_id?: string;
  similarity: number;
}

async function rows(path: string): Promise<Row[]> {
  const response = await app.get(path);
  expect(response.status, path).toBe(200);
  return ((await response.json()) as { data: Row[] }).data;
}

const news = async (path: string) =>
  (await rows(path)).map(({ news_id, via_market_id }) => [news_id, via_market_id]);
const filings = async (path: string) => (await rows(path)).map((row) => row.filing_id);

describe('related news', () => {
  it.each(['/api/v1', '/api/v1/public'])('[4.1/10][2.6/1] of a market come via itself, %s', async (base) => {
    expect(await news(`${base}/markets/venue_a:BTC150/news`)).toEqual([['n1', 'venue_a:BTC150']]);
    expect(await news(`${base}/markets/venue_a:RAIN/news`)).toEqual([]);
    expect((await app.get(`${base}/markets/venue_a:NO/news`)).status).toBe(404);
  });

  it.each(['/api/v1', '/api/v1/public'])(
    '[4.4/3][2.6/1] of a rate name the closest source market, or none where the rate itself is closer, %s',
    async (base) => {
      const found = new Map((await news(`${base}/rates/MOON/news`)).map(([id, via]) => [id, via]));
      expect([...found.keys()].sort()).toEqual(['n1', 'n2']);
      expect(found.get('n2')).toBeUndefined();
      const via = found.get('n1');
      const of = async (id: string) => (await rows(`${base}/markets/${id}/news`))[0]?.similarity ?? 0;
      const closest =
        (await of('venue_a:BTC150')) >= (await of('venue_c:150')) ? 'venue_a:BTC150' : 'venue_c:150';
      expect(via).toBe(closest);
      expect((await app.get(`${base}/rates/NO/news`)).status).toBe(404);
    },
  );

  it('[2.6/1] of a rate that is exactly as near as its market come via the market', async () => {
    const question = 'BTC price at or above 150000 in 2026?';
    adopt(app.store, [], [rate('TIED', [], { ...OF_COIN, name: question })]);
    relateAll(app.store);
    const [own, its] = app.store.read((reader) =>
      [
        { sort: 'rate', record_id: 'TIED' } as const,
        { sort: 'market', record_id: 'venue_c:150' } as const,
      ].map((of) => listNearRecords(reader, of, 'news', 1)[0]?.similarity),
    );
    expect(own).toBe(its);
    expect(await news('/api/v1/public/rates/TIED/news')).toEqual([['n1', 'venue_c:150']]);
  });

  it('[2.6] are ten of a market and twenty of an index at most, the nearest first, equally near ones by id', async () => {
    const cities = ['Oslo', 'Lima', 'Quito'];
    const idsOf = (city: string) => Array.from({ length: 12 }, (_none, i) => `${city}${10 + i}`);
    const ofMayors = cities.flatMap((city) =>
      idsOf(city).map((id) => [id, `Who will be the next mayor of ${city}?`]),
    );
    const ofRain = [
      ['a', 'It may rain in Reykjavik'],
      ['b', 'Will it rain in Reykjavik on 3 May?'],
    ];
    const articles = [...ofMayors.toReversed(), ...ofRain].map(([news_id = '', title = '']) => ({
      news_id,
      url: `https://news.example/${news_id}`,
      source: 'wire',
      title,
    }));
    putArticles(app.store, articles);
    const constituents = cities.map((_city, i) => ({ market_id: `venue_b:0xmayor${i}` }));
    adopt(app.store, [basket('MAYORS', [], { ...SINCE, name: 'Mayors', constituents })], [], NOW);
    relateAll(app.store, NOW);
    const idsAt = async (path: string) => (await news(`/api/v1/public/${path}/news`)).map(([id]) => id);
    expect(await idsAt('markets/venue_a:RAIN')).toEqual(['b', 'a']);
    expect(await idsAt('markets/venue_b:0xmayor0')).toEqual(idsOf('Oslo').slice(0, 10));
    // Ten are as near as can be to each of three markets.
    expect(await idsAt('indices/MAYORS')).toEqual([
      ...idsOf('Lima').slice(0, 10),
      ...idsOf('Oslo').slice(0, 10),
    ]);
  });

  it('[4.3/7][3/1] of an index come from included markets and sources of its rates, but not staged ones', async () => {
    const found = await rows('/api/v1/public/indices/COINS/news');
    expect(found.map((row) => row.news_id)).toEqual(['n1']);
    // The staged market is as near as any: it is never named.
    expect(['venue_a:BTC150', 'venue_c:150']).toContain(found[0]?.via_market_id);
    expect((await app.get('/api/v1/public/indices/NO/news')).status).toBe(404);
  });

  it("[4.3/7] of an index made of indices come from the markets of these, and of its own organization's rates", async () => {
    const acme = { name: 'x', visibility: 'organization', organization: 'acme' };
    const moon = rate('MOON.ACME', [], { ...OF_COIN, ...acme });
    const part = basket('PART', [], { ...SINCE, ...acme, constituents: [{ rate: 'MOON.ACME' }] });
    const whole = index('WHOLE', 'composite', {
      ...SINCE,
      ...acme,
      weighting: { categories: { coins: 1 } },
      constituents: [{ index: 'PART', category: 'coins' }],
    });
    adopt(app.store, [part, whole], [moon]);
    expect(await news('/api/v1/indices/WHOLE/news')).toEqual([['n1', 'venue_c:150']]);
  });

  it("[5/2] of an organization's index are hidden from others", async () => {
    expect(await news('/api/v1/indices/PRIVATE/news')).toEqual([['n1', 'venue_a:BTC150']]);
    expect((await app.getWeak('/api/v1/indices/PRIVATE/news')).status).toBe(404);
    for (const twin of ['news', 'filings'])
      expect((await app.get(`/api/v1/public/indices/PRIVATE/${twin}`)).status).toBe(404);
  });
});

describe('related filings', () => {
  it('[4.5.1/1][4.1/9] on the public tier are recent ones, up to three; older ones need a key', async () => {
    expect(await filings('/api/v1/public/markets/venue_a:BTC150/filings')).toEqual([201]);
    expect((await filings('/api/v1/markets/venue_a:BTC150/filings')).sort()).toEqual([201, 202]);
    expect(await filings('/api/v1/public/markets/venue_a:RAIN/filings')).toEqual([]);
    expect((await app.get('/api/v1/public/markets/venue_a:NO/filings')).status).toBe(404);
    for (const query of ['?per_page=0', '?per_page=4', '?per_page=x'])
      expect((await app.get(`/api/v1/public/markets/venue_a:BTC150/filings${query}`)).status).toBe(400);
  });

  it('[4.5.1/1][8/1] on the public tier are the nearest per_page of them', async () => {
    putFilings(app.store, [{ ...OLD_FILING, status_day: FIRST_PUBLIC_DAY }]);
    for (const path of ['markets/venue_a:BTC150', 'indices/COINS', 'rates/MOON']) {
      expect(await filings(`/api/v1/public/${path}/filings?per_page=1`), path).toEqual([201]);
      expect(await filings(`/api/v1/public/${path}/filings?per_page=2`), path).toEqual([201, 202]);
    }
  });

  it('[4.5.1/1] on the public tier have a status date of the last 90 days, inclusive', async () => {
    for (const [status_day, shown] of [
      [FIRST_PUBLIC_DAY, [201, 202]],
      [DAY_BEFORE, [201]],
    ] as const) {
      putFilings(app.store, [{ ...OLD_FILING, status_day }]);
      for (const path of ['markets/venue_a:BTC150', 'indices/COINS', 'rates/MOON'])
        expect(await filings(`/api/v1/public/${path}/filings`), path).toEqual(shown);
    }
  });

  it('[4.5.1/1] on the public tier are not displaced by nearer ones that are older or become so', async () => {
    const nearer = Array.from({ length: 40 }, (_, i) =>
      filing(300 + i, { product_name: 'Bitcoin above $150k by end of 2026', status_day: FIRST_PUBLIC_DAY }),
    );
    putFilings(app.store, nearer);
    relateAll(app.store);
    const paths = ['markets/venue_a:BTC150', 'indices/COINS', 'rates/MOON'];
    for (const path of paths)
      expect(await filings(`/api/v1/public/${path}/filings`), path).not.toContain(201);
    at += DAY_MS;
    relateAll(app.store, at);
    for (const path of paths) expect(await filings(`/api/v1/public/${path}/filings`), path).toEqual([201]);
    expect(await filings('/api/v1/markets/venue_a:BTC150/filings')).toContain(300);
  });

  it('[4.3/8][4.4/3] of indices and rates come through their markets', async () => {
    for (const path of ['indices/COINS', 'rates/MOON']) {
      expect(await filings(`/api/v1/public/${path}/filings`), path).toEqual([201]);
      expect((await filings(`/api/v1/${path}/filings`)).sort(), path).toEqual([201, 202]);
    }
    for (const path of ['markets/venue_a:NO', 'indices/NO', 'rates/NO'])
      for (const base of ['/api/v1', '/api/v1/public'])
        expect((await app.get(`${base}/${path}/filings`)).status, `${base}/${path}`).toBe(404);
  });

  it('[4.5/8] a filing has its markets, news and similar filings, an article its filings', async () => {
    const markets = (await rows('/api/v1/filings/201/markets')).map((row) => row.market_id);
    expect(markets).toContain('venue_a:BTC150');
    expect(markets).not.toContain('venue_b:0xclosed');
    expect(await news('/api/v1/filings/201/news')).toEqual([['n1', undefined]]);
    expect(await filings('/api/v1/filings/201/similar')).toEqual([202]);
    expect((await filings('/api/v1/news/n1/filings')).sort()).toEqual([201, 202]);
    expect(await filings('/api/v1/filings/203/similar')).toEqual([]);
    for (const path of ['filings/9/markets', 'filings/x/news', 'filings/9/similar', 'news/n9/filings'])
      expect((await app.get(`/api/v1/${path}`)).status, path).toBe(404);
  });

  it('[5/3] need the scope org:filings:read', async () => {
    for (const path of [
      'markets/venue_a:BTC150/filings',
      'indices/COINS/filings',
      'rates/MOON/filings',
      'filings/201/markets',
      'filings/201/news',
      'filings/201/similar',
      'news/n1/filings',
    ]) {
      const response = await app.getWeak(`/api/v1/${path}`);
      expect(response.status, path).toBe(403);
      expect(await response.json(), path).toMatchObject({ error: 'insufficient_scope' });
    }
  });

  it('[7/4][8/2] are cached and time out like other related lists', async () => {
    let at = NOW;
    const slow = openRelatedApp({ similarityBudgetMs: 50, now: () => (at += 40) });
    for (const path of ['markets/venue_a:BTC150', 'indices/COINS', 'rates/MOON'])
      for (const list of ['news', 'filings']) {
        const kept = (await app.get(`/api/v1/public/${path}/${list}`)).headers.get('cache-control') ?? '';
        expect(kept, path).toMatch(/^public, max-age=300, s-maxage=600/);
        const response = await slow.get(`/api/v1/public/${path}/${list}`);
        // One look-up is within the budget, several are not.
        expect([response.status, response.headers.get('retry-after')], `${path}/${list}`).toEqual(
          path.startsWith('markets') ? [200, null] : [503, '2'],
        );
      }
    slow.close();
  });
});
