import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { toCents } from '../../src/model/units.ts';
import { routes } from '../../src/routes/routes.ts';
import { findRatePrint } from '../../src/store/prints/rate-prints.ts';
import { FollowedReader } from '../helpers/followed-reader.ts';
import { ofEachTest } from '../helpers/of-each-test.ts';
import { openSmallApp, type Row, rows, rowWith } from '../helpers/small-app.ts';
import {
  adopt,
  book,
  IDS,
  INDICES,
  NOW,
  observe,
  put,
  QUIET_SINCE,
  RATES,
  SITES,
} from '../helpers/small-store.ts';

const app = ofEachTest(openSmallApp);

const tickers = (body: Row): unknown[] => rows(body).map((row) => row.ticker);
const source = (rate: Row, id: string): Row => rowWith(rows(rate, 'sources'), 'market_id', id);

describe('the public list of rates', () => {
  it('[4.4/1][9/1] without a parameter is every listed rate in one answer, by name', async () => {
    const body = await app.anyone('/rates');
    expect(tickers(body)).toEqual(['R.QUIET', 'R.MEAN', 'R.STEADY']);
    expect(body).not.toHaveProperty('meta');
  });

  it('[4.4/1] with any parameter is one page, of a hundred rows by default', async () => {
    for (const query of ['page=1', 'sort=name', 'sort_dir=asc', 'search=', 'methodology=event_contract'])
      expect((await app.anyone(`/rates?${query}`)).meta, query).toMatchObject({ page: 1, per_page: 100 });
    const second = await app.anyone('/rates?per_page=2&page=2');
    expect(tickers(second)).toEqual(['R.STEADY']);
    expect(second.meta).toEqual({ page: 2, per_page: 2, total: 3, total_pages: 2, has_next: false });
  });

  it.each([
    ['sort=ticker', ['R.MEAN', 'R.QUIET', 'R.STEADY']],
    ['sort=name&sort_dir=desc', ['R.STEADY', 'R.MEAN', 'R.QUIET']],
    ['sort=last', ['R.QUIET', 'R.MEAN', 'R.STEADY']],
    ['sort=change', ['R.MEAN', 'R.QUIET', 'R.STEADY']],
    ['sort=spread&sort_dir=desc', ['R.MEAN', 'R.QUIET', 'R.STEADY']],
    ['sort=sources&sort_dir=desc', ['R.MEAN', 'R.QUIET', 'R.STEADY']],
    ['sort=methodology&sort_dir=desc', ['R.MEAN', 'R.QUIET', 'R.STEADY']],
    ['search=steady', ['R.STEADY']],
    ['search=Rates%2C%20quiet', ['R.QUIET']],
    ['search=mean%20r', ['R.MEAN']],
    ['methodology=simple_average', ['R.MEAN']],
    ['methodology=', ['R.QUIET', 'R.MEAN', 'R.STEADY']],
    ['page=9', []],
  ])('[4.4/1] answers ?%s', async (query, expected) => {
    expect(tickers(await app.anyone(`/rates?${query}`))).toEqual(expected);
  });

  it.each(['name', 'last', 'change', 'sources'])('makes the rows of one page only, by %s', (sort) => {
    const list = routes.find((each) => each.path === '/rates' && each.tiers.includes('public'));
    const rowsRead = (per_page: string) =>
      app.small.store.read((reader) => {
        const followed = new FollowedReader(reader);
        const query = list?.query.parse({ sort, per_page }) ?? {};
        list?.answer({ reader: followed, now: NOW, tier: 'public', id: '', query, sites: SITES });
        return followed.rows;
      });
    const [one = 0, two = 0, three = 0] = ['1', '2', '3'].map(rowsRead);
    expect(one).toBeLessThan(two);
    expect(two).toBeLessThan(three);
  });

  it('[2.5/1] gives the distinct methodologies on both tiers', async () => {
    for (const body of [
      await app.anyone('/rates'),
      await app.anyone('/rates?page=1'),
      await app.member('/rates'),
    ])
      expect(body.methodologies).toEqual(['event_contract', 'simple_average']);
  });

  it.each([
    ['methodology=simple_average', ['simple_average']],
    ['methodology=nti', []],
    ['search=steady', ['event_contract']],
    ['per_page=1', ['event_contract', 'simple_average']],
  ])(
    '[2.5/1] gives for ?%s the methodologies of the whole filtered list, all its pages',
    async (query, tokens) => {
      expect((await app.anyone(`/rates?${query}`)).methodologies).toEqual(tokens);
    },
  );

  it('[2.5/6] leaves off a rate whose every source is inactive, whose detail still answers', async () => {
    expect(tickers(await app.anyone('/rates'))).not.toContain('R.DONE');
    expect(tickers(await app.member('/rates'))).toContain('R.DONE');
    expect(rows(await app.anyone('/rates/R.DONE'), 'sources')).toMatchObject([{ is_active: false }]);
    const ghost = { ...RATES[0], ticker: 'R.GHOST', sources: [{ market_id: 'venue_a:KXGHOST' }] };
    adopt(app.small.store, INDICES, [...RATES, ghost]);
    put(app.small.store, { market_id: IDS.steady, status: 'closed' });
    put(app.small.store, { market_id: IDS.swinging, status: 'settled', payout: 0 });
    expect(tickers(await app.anyone('/rates'))).toEqual(['R.QUIET', 'R.MEAN', 'R.STEADY']);
    for (const [rate, is_active] of [
      ['R.GHOST', false],
      ['R.STEADY', true],
    ] as const)
      expect(rows(await app.anyone(`/rates/${rate}`), 'sources'), rate).toMatchObject([{ is_active }]);
  });

  it("[2.4/4][5/2] shows an organization's rate to its own keys alone", async () => {
    expect(JSON.stringify(await app.anyone('/rates'))).not.toContain('Acme');
    expect(tickers(await app.member('/rates', app.small.keys.other))).not.toContain('R.SECRET');
    expect(tickers(await app.member('/rates'))).toContain('R.SECRET');
    expect((await app.get('/api/v1/public/rates/R.SECRET')).status).toBe(404);
  });
});

describe('a quiet rate', () => {
  it('[2.5/2] shows a print of exactly seven days; a millisecond later its price is absent or null', async () => {
    app.clock.now = QUIET_SINCE + 7 * DAY_MS;
    const listed = async () => rowWith(rows(await app.member('/rates')), 'ticker', 'R.QUIET');
    expect(await app.anyone('/rates/R.QUIET')).toMatchObject({ latest_price: 30, spread: 0 });
    expect(await listed()).toMatchObject({ latest_price: 30, spread: 0 });
    app.clock.now++;
    for (const body of [
      await app.anyone('/rates/R.QUIET'),
      rowWith(rows(await app.anyone('/rates')), 'ticker', 'R.QUIET'),
    ]) {
      expect(body).not.toHaveProperty('latest_price');
      expect(body).not.toHaveProperty('spread');
    }
    expect(await listed()).toMatchObject({ latest_price: null, spread: null });
    // Its place by a change of 0 would say that its price stood.
    expect(tickers(await app.anyone('/rates?sort=change'))).toEqual(['R.MEAN', 'R.STEADY', 'R.QUIET']);
  });

  it('[4.4/2] looks back from start, further or less far', async () => {
    app.clock.now++;
    const priceSince = async (start: string) =>
      rowWith(rows(await app.member(`/rates?start=${start}`)), 'ticker', 'R.QUIET').latest_price;
    expect(await priceSince('2026-04-08T12:00:00Z')).toBe(30);
    expect(await priceSince('2026-04-01')).toBe(30);
    expect(await priceSince('2026-04-08T12:00:01Z')).toBeNull();
    const mean = rowWith(rows(await app.member('/rates?start=2026-04-15T12:00:01Z')), 'ticker', 'R.MEAN');
    expect(mean.latest_price).toBeNull();
    expect(source(mean, IDS.steady)).not.toHaveProperty('latest_price');
    expect(
      (await app.get('/api/v1/rates?start=soon', { Authorization: `Bearer ${app.small.keys.acme}` })).status,
    ).toBe(400);
  });

  it('[2.5.1/2] has no price for any source, even where start shows its own', async () => {
    app.clock.now++;
    expect(source(await app.anyone('/rates/R.QUIET'), IDS.quiet)).not.toHaveProperty('latest_price');
    const shown = rowWith(rows(await app.member('/rates?start=2026-01-01')), 'ticker', 'R.QUIET');
    expect(shown.latest_price).toBe(30);
    expect(source(shown, IDS.quiet)).not.toHaveProperty('latest_price');
    expect(source(shown, IDS.quiet)).not.toHaveProperty('basis');
  });
});

describe('the detail of a rate', () => {
  it('[2.5/1][4.4/3] has its heading, price and spread in cents', async () => {
    const print = app.small.store.read((reader) => findRatePrint(reader, 'R.MEAN', NOW));
    expect(await app.anyone('/rates/R.MEAN')).toMatchObject({
      ticker: 'R.MEAN',
      name: 'Mean of three',
      methodology: 'simple_average',
      latest_price: toCents(print?.price ?? 0),
      spread: toCents(print?.spread ?? 0),
      latest_print_at: '2026-04-15T12:00:00Z',
    });
  });

  it('[2.5/5] lists every configured source, active or not', async () => {
    put(app.small.store, { market_id: IDS.swinging, status: 'settled', payout: 0 });
    const rate = await app.anyone('/rates/R.MEAN');
    expect(rows(rate, 'sources').map((row) => [row.market_id, row.is_active])).toEqual([
      [IDS.steady, true],
      [IDS.swinging, false],
      [IDS.neverPriced, true],
    ]);
  });

  it('[2.5.1/1] gives each source its catalog weight before the first print', async () => {
    const later = {
      ...RATES[1],
      ticker: 'R.LATER',
      start_at: '2027-01-01T00:00:00Z',
      sources: [{ market_id: IDS.steady, weight: 3 }, { market_id: IDS.swinging }],
    };
    adopt(app.small.store, INDICES, [...RATES, later]);
    const weights = rows(await app.anyone('/rates/R.LATER'), 'sources').map((row) => row.weight);
    expect(weights).toEqual([0.75, 0.25]);
  });

  it('[2.5.1/1] gives a source that entered its share of the print, any other its catalog weight', async () => {
    const rate = await app.anyone('/rates/R.MEAN');
    expect([IDS.steady, IDS.swinging, IDS.neverPriced].map((id) => source(rate, id).weight)).toEqual([
      0.5, 0.5, 0.25,
    ]);
    app.clock.now = NOW + 6 * HOUR_MS;
    const { store } = app.small;
    put(store, { market_id: IDS.swinging, status: 'paused' }, app.clock.now);
    observe(store, IDS.steady, [book(app.clock.now, 0.6)]);
    compute(store, app.clock.now, () => {});
    const left = await app.anyone('/rates/R.MEAN');
    expect(left.latest_price).toBe(60);
    expect([IDS.steady, IDS.swinging].map((id) => source(left, id).weight)).toEqual([1, 0.25]);
    expect(source(left, IDS.swinging)).not.toHaveProperty('latest_price');
  });

  it('[2.5.1/2][2.5.1/3] gives a source that did not enter no price, and omits a volume that no print recorded', async () => {
    const rate = await app.anyone('/rates/R.MEAN');
    expect(source(rate, IDS.steady)).toMatchObject({ latest_price: 58.1, basis: 'mid', platform: 'venue_a' });
    expect(source(rate, IDS.neverPriced)).not.toHaveProperty('latest_price');
    for (const row of rows(rate, 'sources')) expect(row).not.toHaveProperty('volume');
  });

  it('[2.5/3] has the previous closes in cents for keys alone', async () => {
    const price = (at: string) =>
      toCents(app.small.store.read((reader) => findRatePrint(reader, 'R.MEAN', Date.parse(at)))?.price ?? 0);
    expect(await app.member('/rates/R.MEAN')).toMatchObject({
      previous_close_1d: price('2026-04-15T00:00:00Z'),
      previous_close_7d: price('2026-04-08T00:00:00Z'),
      visibility: 'public',
    });
    const open = await app.anyone('/rates/R.MEAN');
    for (const field of ['previous_close_1d', 'previous_close_7d', 'visibility'])
      expect(open).not.toHaveProperty(field);
  });
});
