import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDesk } from '../../scripts/world/catalog.ts';
import { DOLLAR } from '../../scripts/world/truth/quotes.ts';
import { listTrades } from '../../scripts/world/truth/trades.ts';
import { observationsOfTrades, parseTradesPage } from '../../src/ingest/venues/kalshi/parse-trades.ts';
import { rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { setNote } from '../../src/store/notes.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { KALSHI, type OpenWorld, openWorld } from '../world/open-world.ts';
import { raw } from './fixture-venue.ts';
import { configFor, configForWorld, NOW as FIXTURE_NOW, feedOf, pricesOf, runIngest } from './run-ingest.ts';
import { answerAsTwoVenues, listOnKalshi } from './two-venues.ts';
import { store, venue, withVenueAndStore } from './venue-and-store.ts';
import { kalshiMarket } from './wire-fixtures.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');
const TICKER = 'SIMFED-26DEC-H0';
const LAG_MS = 10_000;

describe('a page of Kalshi trades', () => {
  const row = (id: string, changes: object = {}) => ({
    trade_id: id,
    ticker: TICKER,
    count_fp: '5.00',
    yes_price_dollars: '0.4200',
    created_time: '2026-10-29T11:00:00.123456Z',
    is_block_trade: false,
    ...changes,
  });

  it('leaves out trades negotiated off the book, and names what cannot be read', () => {
    const page = parseTradesPage({
      trades: [
        row('a'),
        row('b', { is_block_trade: true }),
        row('c', { yes_price_dollars: '1.7' }),
        row('d', { created_time: 'soon' }),
        row('e', { yes_price_dollars: '1.0000' }),
        row('f', { count_fp: undefined }),
      ],
      cursor: '',
    });
    expect(page.trades).toEqual([
      { id: 'a', at: Date.parse('2026-10-29T11:00:00.123Z'), price: 0.42, count: 5 },
    ]);
    expect(page.rejections.map(({ native_id, path, reason }) => [native_id, path, reason])).toEqual([
      ['c', 'yes_price_dollars', 'yes_price_dollars must be 0 to 1, got "1.7"'],
      ['d', 'created_time', 'created_time must be an instant, got "soon"'],
      ['e', 'yes_price_dollars', 'yes_price_dollars must be above 0 and below 1, got "1.0000"'],
      ['f', 'count_fp', 'count_fp must be a number of contracts, got nothing'],
    ]);
    expect(page).toMatchObject({ read: 6, next: undefined, ids: ['a', 'b', 'c', 'd', 'e', 'f'] });
  });

  it('leaves out trades of another market than the requested one', () => {
    const others = ['KX-2', 'X'.repeat(10_000)].map((ticker) => row('b', { ticker }));
    const page = parseTradesPage({ trades: [row('a'), ...others], cursor: '' }, TICKER);
    expect(page.trades.map(({ id }) => id)).toEqual(['a']);
    expect(page.rejections.map(({ reason }) => reason)).toEqual([
      `ticker must be ${TICKER}, got "KX-2"`,
      `ticker must be ${TICKER}, got "${'X'.repeat(79)}…`,
    ]);
  });

  it('counts an order that took several others once, at the price where it ended', () => {
    const trade = { id: 'x', at: 60_000, price: 0.5, count: 2 };
    expect(
      observationsOfTrades([
        { ...trade, at: 90_000 },
        { ...trade, price: 0.44 },
        { ...trade, price: 0.43, count: 3 },
      ]),
    ).toEqual([
      { observed_at: 60_000, last: 0.44, volume: 5 },
      { observed_at: 90_000, last: 0.5, volume: 2 },
    ]);
  });
});

/** Puts a rate in force that counts the trades of a market. */
function countTrades(store: Store, market_id: string, now: number): void {
  const rate = rateDefinition.parse({
    ticker: 'TRADED',
    name: 'Traded',
    visibility: 'public',
    methodology: 'robust_median',
    start_at: '2026-10-20T00:00:00Z',
    interval_minutes: 60,
    sources: [{ market_id }],
  });
  store.write((writer) =>
    adoptDefinitions(writer, { indices: [], rates: [rate] }, now, { keepMissing: false }),
  );
}

describe('a stretch of trades', () => {
  withVenueAndStore(() => answerAsTwoVenues(venue));

  it('in several pages is kept once the last of them was read', async () => {
    countTrades(store, 'venue_a:KX-1', FIXTURE_NOW);
    let fails = true;
    let asked = 0;
    venue.on('/kalshi/markets/trades', (query) => {
      if (fails && ++asked > 3) return raw('{}', 500);
      const second = query.has('cursor') ? 1 : 2;
      const created_time = new Date((Number(query.get('min_ts')) + second) * 1000).toISOString();
      const trade_id = `${query.get('min_ts')}-${second}`;
      const trade = { trade_id, ticker: 'KX-1', count_fp: '5.00', yes_price_dollars: '0.4200', created_time };
      return { trades: [trade], cursor: query.has('cursor') ? '' : 'next' };
    });
    const settings = configFor(venue.origin);
    const run = async () => feedOf(await runIngest(store, settings, { only: 'venue_a' }), 'venue_a/trades');
    const kept = () => pricesOf(store, 'venue_a:KX-1', 'trades').length;
    expect(await run()).toMatchObject({
      condition: 'partial',
      message: expect.stringContaining('answered 500'),
    });
    expect(kept()).toBe(2);
    fails = false;
    expect(await run()).toMatchObject({ condition: 'good', requests: 6 });
    expect(kept()).toBe(8);
  });

  it('is read up to the close of a contract whose settlement has no instant', async () => {
    countTrades(store, 'venue_a:KX-1', FIXTURE_NOW);
    const closes = FIXTURE_NOW + HOUR_MS;
    venue.on('/kalshi/markets/trades', () => ({ trades: [], cursor: '' }));
    const run = async (hours: number) => {
      const now = FIXTURE_NOW + hours * HOUR_MS;
      const report = await runIngest(store, configFor(venue.origin), { now, only: 'venue_a' });
      return feedOf(report, 'venue_a/trades').requests;
    };
    await run(0);
    const settled = { status: 'finalized', result: 'yes', close_time: new Date(closes).toISOString() };
    listOnKalshi(venue, kalshiMarket('KX-1', settled));
    expect(await run(3)).toBeGreaterThan(0);
    for (const hours of [4, 5]) await run(hours);
    expect(await run(6)).toBe(0);
  });
});

describe('ingest of the simulated trades', () => {
  let open: OpenWorld;

  const newStore = (): Store => {
    const store = memoryStore();
    countTrades(store, `venue_a:${TICKER}`, NOW);
    return store;
  };
  const run = async (store: Store, now = NOW) => {
    open.world.setNow(now);
    const settings = configForWorld(open);
    return feedOf(await runIngest(store, settings, { now, only: 'venue_a' }), 'venue_a/trades');
  };
  const kept = (store: Store) => pricesOf(store, `venue_a:${TICKER}`, 'trades');
  const traded = (from: number, to: number) => {
    const contract = open.world.catalog.kalshi.markets.get(TICKER)?.contract;
    if (!contract) throw new Error(`the world has no ${TICKER}`);
    const trades = listTrades(openDesk(open.world.truth, contract), from, to, 100_000);
    return observationsOfTrades(
      trades.map(({ at, price, size, number }) => ({
        id: String(number),
        at,
        price: price / DOLLAR,
        count: size / 100,
      })),
    );
  };

  beforeAll(async () => {
    open = await openWorld({ now: NOW, topics: ['central-banks'] });
  });
  afterEach(() => open.clearFaults());
  afterAll(() => open.served.close());

  it('keeps each trade of the last day where a rate counts them, and each new one run by run', async () => {
    const store = newStore();
    expect(await run(store)).toMatchObject({ condition: 'good', rows_left_out: 0 });
    const until = NOW - LAG_MS;
    expect(kept(store).length).toBeGreaterThan(20);
    expect(kept(store)).toEqual(traded(until - DAY_MS, until).map((each) => expect.objectContaining(each)));
    for (const hours of [1, 2, 9]) await run(store, NOW + hours * HOUR_MS);
    const end = NOW + 9 * HOUR_MS - LAG_MS;
    expect(kept(store)).toEqual(traded(until - DAY_MS, end).map((each) => expect.objectContaining(each)));
    expect((await run(store, NOW + 9 * HOUR_MS)).requests).toBe(0);
  });

  it('requests longer and longer stretches after a pause of years', async () => {
    const store = newStore();
    const through = NOW - 3 * 365 * DAY_MS;
    store.write((writer) => setNote(writer, 'venue_a/trades', `venue_a:${TICKER}`, { through }));
    await open.setFaults({ path_prefix: `${KALSHI}/historical/trades`, kind: 'empty', times: 1e6 });
    expect((await run(store, NOW + 1)).requests).toBeLessThan(50);
  });

  it('after a long pause reads moved trades in the historical tier, and loses none in between', async () => {
    const store = newStore();
    await run(store, NOW - 12 * DAY_MS);
    open.world.historical_cutoff = NOW - 9 * DAY_MS - 90_500;
    try {
      expect(await run(store)).toMatchObject({ condition: 'good', rows_left_out: 0 });
    } finally {
      open.world.historical_cutoff = NOW - 90 * DAY_MS;
    }
    const from = NOW - 12 * DAY_MS - LAG_MS - DAY_MS;
    expect(kept(store)).toEqual(traded(from, NOW - LAG_MS).map((each) => expect.objectContaining(each)));
    const { requests } = (await open.get('/_world/requests')).body as { requests: Record<string, number> };
    expect(requests[`${KALSHI}/historical/trades`]).toBeGreaterThan(2);
  });

  it('requests a row that cannot be read once more in the next run, and then leaves it out for good', async () => {
    const [store, through] = [newStore(), NOW - LAG_MS];
    const path_prefix = `${KALSHI}/markets/trades`;
    await open.setFaults({ path_prefix, kind: 'missing_id', after: 1 });
    const spoilt = await run(store);
    expect(spoilt).toMatchObject({ condition: 'partial', message: expect.stringContaining('trade_id') });
    expect(spoilt.rows_left_out).toBeGreaterThan(0);
    expect(kept(store).length).toBeLessThan(traded(through - DAY_MS, through).length);
    expect(await run(store, NOW + HOUR_MS)).toMatchObject({ condition: 'good', rows_left_out: 0 });
    const whole = traded(through - DAY_MS, through + HOUR_MS);
    expect(kept(store)).toEqual(whole.map((each) => expect.objectContaining(each)));

    await open.setFaults({ path_prefix, kind: 'missing_id', times: 9 });
    // The hour that is new; and from then on the one before it once more.
    for (const [hours, requests] of [
      [2, 1],
      [3, 2],
      [4, 2],
    ] as const)
      expect(await run(store, NOW + hours * HOUR_MS)).toMatchObject({ condition: 'partial', requests });
  });

  it('requests empty stretches twice, however many there are', async () => {
    const store = newStore();
    const path_prefix = `${KALSHI}/markets/trades`;
    const requests: number[] = [];
    for (const hours of [0, 1, 2, 3]) {
      await open.setFaults({ path_prefix, kind: 'empty', times: 9 });
      requests.push((await run(store, NOW + hours * HOUR_MS)).requests);
      await open.clearFaults();
    }
    expect(requests).toEqual([3, 4, 2, 2]);
  });

  it.each(['truncate', 'cut', 'html', 'repeat_page', 'empty', 'missing_id'])(
    '%s: ends in a report, and a later run reads what was left',
    async (kind) => {
      const store = newStore();
      await open.setFaults({ path_prefix: `${KALSHI}/markets/trades`, kind, after: 1 });
      const report = await run(store);
      if (report.condition !== 'good') expect(report.message).toMatch(/\w/);
      await open.clearFaults();
      expect(await run(store, NOW + HOUR_MS)).toMatchObject({ condition: 'good' });
      const through = NOW - LAG_MS;
      const whole = traded(through - DAY_MS, through + HOUR_MS);
      expect(kept(store)).toEqual(whole.map((each) => expect.objectContaining(each)));
    },
  );
});
