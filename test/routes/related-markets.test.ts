import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { MARKETS, openRelatedApp, putMarkets } from '../helpers/related-store.ts';
import { book, NOW, observe, relateAll } from '../helpers/small-store.ts';

const app = ofEachTest(openRelatedApp);

interface Row {
  market_id: string;
  similarity: number;
  platform: string;
  question: string;
  description?: string;
  latest_price?: number;
}

async function rows(path: string): Promise<Row[]> {
  const response = await app.get(path);
  expect(response.status, path).toBe(200);
  return ((await response.json()) as { data: Row[] }).data;
}

const ids = async (path: string) => (await rows(path)).map((row) => row.market_id);
const related = (id: string, query = '') =>
  `/api/v1/public/markets/${encodeURIComponent(id)}/related${query}`;
const similar = (id: string, query = '') => `/api/v1/markets/${encodeURIComponent(id)}/similar${query}`;

describe('related markets', () => {
  it('[4.1/7][2.1.3/1] are up to three active markets of several venues, nearest first, without the market itself', async () => {
    const found = await rows(related('venue_a:BTC150'));
    expect(found.map((row) => row.market_id)).toEqual(
      expect.arrayContaining(['venue_b:0xb150', 'venue_c:150']),
    );
    expect(new Set(found.map((row) => row.platform))).toEqual(new Set(['venue_a', 'venue_b', 'venue_c']));
    const similarities = found.map((row) => row.similarity);
    expect(similarities).toEqual([...similarities].sort((a, b) => b - a));
    for (const row of found) {
      expect(row.similarity).toBeGreaterThan(0);
      expect(row.similarity).toBeLessThanOrEqual(1);
      expect(row.question).toBe(MARKETS.find((each) => each.market_id === row.market_id)?.question);
    }
    expect((await rows(related('venue_b:0xb150')))[0]).toMatchObject({
      market_id: 'venue_a:BTC150',
      description: 'Pays on a price.',
    });
  });

  it('[4.1/7] span venues even where the very nearest are all of one', async () => {
    expect((await ids(similar('venue_a:BTC140'))).slice(0, 3)).toEqual([
      'venue_a:BTC150',
      'venue_a:BTC130',
      'venue_c:150',
    ]);
    expect(await ids(related('venue_a:BTC140'))).toEqual(['venue_a:BTC150', 'venue_c:150', 'venue_b:0xb150']);
  });

  it('[2.1.3/1][2.1/3] have the mark in cents where there is one', async () => {
    const priceOf = async (path: string) =>
      (await rows(path)).find((row) => row.market_id === 'venue_b:0xb150')?.latest_price;
    for (const path of [related('venue_a:BTC150'), similar('venue_a:BTC150')])
      expect(await priceOf(path), path).toBeUndefined();
    observe(app.store, 'venue_b:0xb150', [book(NOW, 0.425)]);
    compute(app.store, NOW, () => {});
    for (const path of [related('venue_a:BTC150'), similar('venue_a:BTC150')])
      expect(await priceOf(path), path).toBe(42.5);
  });

  it('[4.1/7][8/1] have a per_page of 1 to 3, 3 by default', async () => {
    for (const [query, length] of [
      ['', 3],
      ['?per_page=1', 1],
      ['?per_page=2', 2],
      ['?per_page=3', 3],
    ] as const)
      expect((await rows(related('venue_a:BTC150', query))).length, query).toBe(length);
    for (const query of [
      '?per_page=0',
      '?per_page=4',
      '?per_page=1.5',
      '?per_page=',
      '?per_page=1&per_page=2',
    ])
      expect((await app.get(related('venue_a:BTC150', query))).status, query).toBe(400);
  });

  it('[4.1/7][7/3] of an unknown id are not found, of a market near nothing an empty list', async () => {
    expect((await app.get(related('venue_a:NO'))).status).toBe(404);
    expect((await app.get(similar('venue_a:NO'))).status).toBe(404);
    expect(await ids(related('venue_a:RAIN'))).toEqual([]);
    expect(await ids(similar('venue_a:RAIN'))).toEqual([]);
  });

  it('[4.1/6] as similar markets are of one venue when it is named, else across them', async () => {
    const all = await ids(similar('venue_a:BTC150'));
    expect(new Set(all.map((id) => id.slice(0, 7)))).toEqual(new Set(['venue_a', 'venue_b', 'venue_c']));
    expect(await ids(similar('venue_a:BTC150', '?platform=venue_c'))).toEqual(['venue_c:150']);
    expect((await ids(similar('venue_a:BTC150', '?platform=venue_b')))[0]).toBe('venue_b:0xb150');
    expect((await app.get(similar('venue_a:BTC150', '?platform=venue_d'))).status).toBe(400);
  });

  it('[3/1] never include a market that does not trade, which has a list itself', async () => {
    expect(await ids(similar('venue_a:BTC150', '?platform=venue_b'))).not.toContain('venue_b:0xclosed');
    expect(await ids(related('venue_b:0xclosed'))).toContain('venue_a:BTC150');
    const own = openRelatedApp();
    putMarkets(own.store, [
      { market_id: 'venue_c:150', question: 'BTC price at or above 150000 in 2026?', status: 'paused' },
    ]);
    // Between ingest and compute the stored list still has it; it is not shown.
    const body = (await (await own.get(similar('venue_a:BTC150', '?platform=venue_c'))).json()) as {
      data: Row[];
    };
    expect(body.data).toEqual([]);
    relateAll(own.store);
    own.close();
  });

  it('[8/2] may be cached for a quarter of an hour', async () => {
    const header = (await app.get(related('venue_a:BTC150'))).headers.get('cache-control') ?? '';
    expect(header).toMatch(/^public/);
    const seconds = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(header)?.[1]);
    // A shared cache may hand a copy to a browser at any age, and send a stale one while it asks for another.
    expect(seconds('max-age') + seconds('s-maxage')).toBeLessThanOrEqual(900);
    expect(seconds('s-maxage') + seconds('stale-while-revalidate')).toBeLessThanOrEqual(900);
  });

  it('[7/4] over their time budget ask to retry in two seconds', async () => {
    let at = NOW;
    const slow = openRelatedApp({
      similarityBudgetMs: 100,
      now: () => {
        at += 60;
        return at;
      },
    });
    for (const path of [related('venue_a:BTC150'), similar('venue_a:BTC150')]) {
      const response = await slow.get(path);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('2');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.json()).toMatchObject({
        error: 'service_unavailable',
        message: 'related records took too long to read; retry in 2 seconds',
      });
    }
    slow.close();
  });
});
