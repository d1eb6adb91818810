import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import type { Observation, Series } from '../../src/model/observation.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { bearer, openSmallApp, type Row, rows, rowWith } from '../helpers/small-app.ts';
import { adopt, BASE, IDS, INDICES, NOW, observe, put } from '../helpers/small-store.ts';

const app = ofEachTest(openSmallApp);

const ids = (body: Row): unknown[] => rows(body).map((row) => row.market_id);
const path = (id: string, rest = '') => `/markets/${encodeURIComponent(id)}${rest}`;

describe('a market', () => {
  it('[2.1/1][2.1/4] always has its id, venue, question and link, on list and detail', async () => {
    const listed = rows(await app.anyone('/markets'));
    expect(listed).toHaveLength(Object.keys(IDS).length);
    for (const row of listed) {
      expect(row).toMatchObject({
        platform: String(row.market_id).split(':')[0],
        question: expect.stringMatching(/\?$/),
      });
      expect(row).toHaveProperty('link');
      expect(await app.anyone(path(String(row.market_id)))).toEqual(row);
    }
  });

  it('[2.1/2] has a description only when there is one', async () => {
    expect(await app.anyone(path(IDS.swinging))).toMatchObject({ description: 'It swings.' });
    expect(await app.anyone(path(IDS.neverPriced))).not.toHaveProperty('description');
    expect(await app.anyone(path(IDS.steady))).not.toHaveProperty('description');
  });

  it('[2.1/3] shows the same mark in cents everywhere, and no field where there is none', async () => {
    const marks = [
      await app.anyone(path(IDS.steady)),
      await app.member(path(IDS.steady)),
      rowWith(rows(await app.member('/markets')), 'market_id', IDS.steady),
      rowWith(rows(await app.anyone('/indices/SMALL/constituents')), 'market_id', IDS.steady),
    ].map((row) => row.latest_price ?? row.mark);
    expect(marks).toEqual([58.1, 58.1, 58.1, 58.1]);
    expect(await app.anyone(path(IDS.neverPriced))).not.toHaveProperty('latest_price');
    expect(await app.anyone(path(IDS.settled))).toMatchObject({
      latest_price: 100,
      payout: 1,
      status: 'settled',
    });
    put(app.small.store, { market_id: IDS.staged, status: 'settled', payout: 0 });
    expect(await app.anyone(path(IDS.staged))).toMatchObject({ payout: 0, status: 'settled' });
  });

  it('[2.5.2/2] says that its last trade lies beyond the one quote that remains, as long as it does', async () => {
    const { store } = app.small;
    const seen = async (prices: Omit<Observation, 'observed_at'>) => {
      app.clock.now += HOUR_MS;
      observe(store, IDS.oneSided, [{ observed_at: app.clock.now, ...prices }]);
      compute(store, app.clock.now, () => {});
      const { price_basis, latest_price, beyond_quote } = await app.anyone(path(IDS.oneSided));
      return [price_basis, latest_price, beyond_quote];
    };
    expect(await seen({ ask: 0.1, last: 0.12 })).toEqual(['last', 12, true]);
    expect(await seen({ ask: 0.12, last: 0.12 })).toEqual(['last', 12, undefined]);
    expect(await seen({ bid: 0.13, last: 0.12 })).toEqual(['last', 12, true]);
    expect(await seen({ bid: 0.13, ask: 0.15, last: 0.12 })).toEqual(['mid', 14, undefined]);
  });

  it('[2.1/5] has the venue texts of venue B US contracts, and no other market has them', async () => {
    expect(await app.anyone(path(IDS.us))).toMatchObject({
      platform: 'venue_b',
      event_ticker: 'rain',
      rules_primary: 'If it rains.',
      yes_sub_title: 'Rain',
      market_type: 'binary',
    });
    put(app.small.store, {
      market_id: IDS.staged,
      event_slug: 'x',
      rules_primary: 'x',
      yes_sub_title: 'x',
      market_type: 'x',
    });
    for (const id of [IDS.staged, IDS.global])
      for (const field of ['event_ticker', 'rules_primary', 'yes_sub_title', 'market_type'])
        expect(await app.anyone(path(id))).not.toHaveProperty(field);
  });

  it('[2.1/6] has its volume with the unit, even a measured 0; where none is known the unit is that of its candles', async () => {
    expect(await app.anyone(path(IDS.quiet))).toMatchObject({ volume: 3, volume_unit: 'usd' });
    expect(await app.anyone(path(IDS.oneSided))).toMatchObject({ volume: 0, open_interest: 0 });
    put(app.small.store, { market_id: IDS.global, volume_unit: 'shares' });
    expect(await app.anyone(path(IDS.global))).not.toHaveProperty('volume');
    expect(await app.anyone(path(IDS.global))).toMatchObject({ volume_unit: 'shares' });
  });

  it('[4.1/4][7/3] is found by its percent-encoded id, whatever that holds; unknown ids are not found', async () => {
    expect(await app.anyone(path(IDS.wild))).toMatchObject({ market_id: IDS.wild });
    for (const id of ['venue_a:NOBODY', '%', '%zz', 'venue_b:0xAA01', '__proto__', "' OR 1=1 --"])
      expect((await app.get(`/api/v1/public${path(id)}`)).status, id).toBe(404);
  });
});

describe('the list of markets', () => {
  it('[4.1/1] is newest listed first, and pages of any sort neither repeat nor skip rows', async () => {
    const whole = ids(await app.anyone('/markets'));
    expect(whole.at(0)).not.toBe(IDS.steady);
    for (const sort of ['listed', 'volume', 'latest_price', 'closes'])
      for (const direction of ['asc', 'desc']) {
        const pages: unknown[] = [];
        for (let page = 1; page <= 4; page++)
          pages.push(
            ...ids(await app.anyone(`/markets?sort=${sort}&sort_dir=${direction}&per_page=3&page=${page}`)),
          );
        expect(new Set(pages), `${sort} ${direction}`).toEqual(new Set(whole));
        expect(pages, `${sort} ${direction}`).toHaveLength(whole.length);
      }
    expect(ids(await app.anyone('/markets?sort=volume&sort_dir=desc')).slice(0, 3)).toEqual([
      IDS.steady,
      IDS.swinging,
      IDS.quiet,
    ]);
    expect(ids(await app.anyone('/markets?sort=volume&sort_dir=asc'))[0]).toBe(IDS.oneSided);
  });

  it('[4.1/1] sorts by volume, price and close, absent values last either way', async () => {
    for (const [name, closes, volume] of [
      ['SOON', 1, 2],
      ['MIDDLE', 2, 1],
      ['LATE', 3, 20],
    ] as const)
      put(app.small.store, {
        market_id: `venue_a:${name}`,
        opens_at: BASE - closes * HOUR_MS,
        closes_at: NOW + closes * HOUR_MS,
        volume,
      });
    const FIELDS = { volume: 'volume', latest_price: 'latest_price', closes: 'closes_at' };
    for (const [sort, field] of Object.entries(FIELDS))
      for (const [direction, sign] of [
        ['desc', 1],
        ['asc', -1],
      ] as const) {
        const shown = rows(await app.anyone(`/markets?sort=${sort}&sort_dir=${direction}`));
        const values = shown.map((row) => row[field] as number | string | undefined);
        const known = values.filter((value) => value !== undefined);
        expect(known.length, sort).toBeGreaterThan(2);
        const ordered = known.toSorted((x, y) => (x < y ? sign : x > y ? -sign : 0));
        expect(values.slice(0, known.length), `${sort} ${direction}`).toEqual(ordered);
      }
  });

  it('[2.3/1][2.3/2] counts exactly, and a page past the end is empty', async () => {
    const { meta } = await app.anyone('/markets?per_page=4&page=2');
    expect(meta).toEqual({ page: 2, per_page: 4, total: 10, total_pages: 3, has_next: true });
    const past = await app.anyone('/markets?per_page=4&page=4');
    expect(past).toMatchObject({ data: [], meta: { total: 10, has_next: false } });
  });

  it('[4.1/1] filters by venue', async () => {
    const kept = rows(await app.anyone('/markets?venue=venue_b'));
    expect(kept).toHaveLength(4);
    expect(kept.every((row) => row.platform === 'venue_b')).toBe(true);
    expect(rows(await app.anyone('/markets?venue=venue_c'))).toEqual([]);
  });

  it('[4.1/1] filters constituents of public indices for keys; scope is unknown to the public list', async () => {
    const kept = ids(await app.member('/markets?scope=constituents'));
    expect(new Set(kept)).toEqual(
      new Set([IDS.steady, IDS.swinging, IDS.global, IDS.oneSided, IDS.neverPriced, IDS.us, IDS.quiet]),
    );
    expect(await app.member('/markets?scope=constituents&venue=venue_b')).toMatchObject({
      meta: { total: 3 },
    });
    expect(ids(await app.member('/markets?scope=all'))).toEqual(ids(await app.member('/markets')));
    expect(ids(await app.anyone('/markets?scope=whatever'))).toEqual(ids(await app.anyone('/markets')));
  });
});

describe('the candles of a market', () => {
  const history = (id: string, series: Series, more: object) =>
    app.small.store.write((writer) =>
      insertObservations(
        writer,
        marketKey(writer, id),
        { series, observations: [{ observed_at: BASE + HOUR_MS, ...more }] },
        NOW,
      ),
    );
  const candles = async (id: string) => rows(await app.member(path(id, '/candles')));

  it('[4.1/5] are in cents at the end of their interval, and a single book is not a candle', async () => {
    history(IDS.steady, 'candle_60', {
      bid: 0.4,
      ask: 0.42,
      last: 0.41,
      open: 0.38,
      high: 0.45,
      low: 0.36,
      volume: 9,
    });
    expect(await candles(IDS.steady)).toEqual([
      {
        end_at: '2026-03-06T01:00:00Z',
        interval_minutes: 60,
        open: 38,
        high: 45,
        low: 36,
        close: 41,
        bid: 40,
        ask: 42,
        volume: 9,
      },
    ]);
    history(IDS.swinging, 'trades', { last: 0.4, volume: 1 });
    expect(await candles(IDS.swinging)).toEqual([]);
  });

  it('[4.1/5] of trades name their interval, and one that ends now is there', async () => {
    for (const [series, interval_minutes] of [
      ['trades_60', 60],
      ['trades_1440', 1440],
    ] as const) {
      const id = `venue_c:${series}`;
      put(app.small.store, { market_id: id });
      history(id, series, { observed_at: NOW, last: 0.3, volume: 2 });
      expect(await candles(id)).toMatchObject([
        { end_at: '2026-04-15T12:00:00Z', interval_minutes, close: 30 },
      ]);
    }
  });

  it('[4.1/5] have only quotes and no prices where nothing traded', async () => {
    history(IDS.staged, 'candle_1440', { bid: 0.4, ask: 0.42, last: 0.41, volume: 0 });
    expect(await candles(IDS.staged)).toEqual([
      { end_at: '2026-03-06T01:00:00Z', interval_minutes: 1440, bid: 40, ask: 42, volume: 0 },
    ]);
  });

  it('[2.1.2/1][2.1.2/2][2.1.2/3] name the source by family of venue B; US rows have quotes and no volume', async () => {
    history(IDS.us, 'candle_60', {
      bid: 0.1,
      ask: 0.2,
      last: 0.15,
      open: 0.15,
      high: 0.15,
      low: 0.15,
      volume: 4,
    });
    expect((await candles(IDS.us))[0]).toMatchObject({
      source: 'venue_b_us_price_history',
      bid: 10,
      ask: 20,
    });
    expect((await candles(IDS.us))[0]).not.toHaveProperty('volume');
    history(IDS.global, 'history', { last: 0.33 });
    expect(await candles(IDS.global)).toEqual([
      {
        end_at: '2026-03-06T01:00:00Z',
        source: 'venue_b_clob_history',
        open: 33,
        high: 33,
        low: 33,
        close: 33,
      },
    ]);
  });

  it('[4.1/5] of an unknown market are not found, and there is no public twin', async () => {
    const own = await app.get('/api/v1/markets/venue_a:NOBODY/candles', bearer(app.small.keys.acme));
    expect(own.status).toBe(404);
    expect((await app.get(`/api/v1/public${path(IDS.steady, '/candles')}`)).status).toBe(404);
  });
});

describe('the indices of a market', () => {
  it("[2.9/1][4.1/8] have the weight from the index's own constituent list", async () => {
    const small = rows(await app.anyone('/indices/SMALL/constituents'));
    const weight = rowWith(small, 'market_id', IDS.steady).weight;
    expect(rows(await app.anyone(path(IDS.steady, '/indices')))).toEqual([
      { index_id: 'SMALL', ticker: 'SMALL', name: 'Small basket', weight },
      { index_id: 'LATER', ticker: 'LATER', name: 'Begins later', weight: 0.75 },
    ]);
    const secret = rowWith(rows(await app.member(path(IDS.steady, '/indices'))), 'ticker', 'SECRET');
    expect(secret.weight).toBeGreaterThan(0);
    expect(
      JSON.stringify(await app.member(path(IDS.steady, '/indices'), app.small.keys.other)),
    ).not.toContain('SECRET');
  });

  it('[2.9/1] have weight 0 where the market is a constituent without weight', async () => {
    expect(rows(await app.anyone(path(IDS.oneSided, '/indices')))).toMatchObject([
      { ticker: 'SMALL', weight: 0 },
    ]);
    expect(rows(await app.anyone(path(IDS.neverPriced, '/indices')))).toMatchObject([
      { ticker: 'SMALL', weight: 0 },
    ]);
  });

  it('[4.1/8][7/3] are an empty list for a market in none, even a staged one; an unknown id is not found', async () => {
    expect(await app.anyone(path(IDS.settled, '/indices'))).toEqual({ data: [] });
    expect(await app.anyone(path(IDS.staged, '/indices'))).toEqual({ data: [] });
    expect((await app.get('/api/v1/public/markets/venue_a:NOBODY/indices')).status).toBe(404);
  });

  it('[2.9/1] are not told of one that an index names but the catalog does not have, as nothing of it is', async () => {
    const UNLISTED = 'venue_a:KXUNLISTED';
    const constituents = [{ market_id: UNLISTED }, { market_id: IDS.steady }];
    const index = { ...INDICES[0], ticker: 'NAMES', group_by: undefined, constituents };
    adopt(app.small.store, [index], []);
    const row = rowWith(rows(await app.anyone('/indices/NAMES/constituents')), 'market_id', UNLISTED);
    expect(row).not.toHaveProperty('question');
    for (const rest of ['', '/indices', '/related', '/news'])
      expect((await app.get(`/api/v1/public${path(UNLISTED, rest)}`)).status, rest).toBe(404);
    expect(rows(await app.anyone(path(IDS.steady, '/indices')))).toMatchObject([{ ticker: 'NAMES' }]);
  });
});
