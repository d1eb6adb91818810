import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDesk } from '../../scripts/world/catalog.ts';
import { sessionEnd } from '../../scripts/world/dialects/forecastex.ts';
import { DOLLAR } from '../../scripts/world/truth/quotes.ts';
import { findLastTrade, volumeAt } from '../../scripts/world/truth/trades.ts';
import { compute } from '../../src/compute/compute.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { type OpenWorld, openWorld } from '../world/open-world.ts';
import { askOfMarket, TRADED_CANDLE } from './ask-of-market.ts';
import { configFor, factsOf, feedOf, nameMarkets, pricesOfEach, runIngest } from './run-ingest.ts';
import { expectRecovery, SPOILT_ANSWERS } from './struck-run.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');
const LAST_DAY = '2026-10-28';
const FEED = 'venue_c_forecastex/prices';

describe('ingest of the simulated ForecastEx', () => {
  let open: OpenWorld;
  let named: string;
  /** After a run that nothing struck. */
  let store: Store;
  let reference: unknown;

  const newStore = (): Store => {
    const store = memoryStore();
    nameMarkets(store, [named], '2026-10-06T00:00:00Z');
    return store;
  };
  const runWhole = (store: Store) =>
    runIngest(store, configFor(open.served.origin), { now: NOW, only: 'venue_c_forecastex' });
  const run = async (store: Store) => feedOf(await runWhole(store), FEED);
  const marketsOf = (store: Store) =>
    (
      factsOf(store) as {
        markets: { market_id: string; status: string; payout: number | null; volume: number | null }[];
      }
    ).markets;
  const idsOf = (store: Store) => marketsOf(store).map(({ market_id }) => market_id);
  const contentOf = (store: Store) => ({
    markets: marketsOf(store),
    prices: pricesOfEach(store, idsOf(store), 'trades_1440'),
  });
  const deskOf = (id: string) => {
    const contract = open.world.catalog.forecasts.get(id.slice('venue_c:'.length))?.contract;
    if (!contract) throw new Error(`the world has no ${id}`);
    return openDesk(open.world.truth, contract);
  };

  beforeAll(async () => {
    open = await openWorld({ now: NOW, days: 24, topics: ['economy'] });
    const live = [...open.world.catalog.forecasts.values()].filter(
      ({ expires, contract }) => expires > '2026-11-01' && contract.event.listed_at < NOW,
    );
    const traded = live.toSorted(
      (a, b) => volumeAt(deskOf(`venue_c:${b.id}`), NOW) - volumeAt(deskOf(`venue_c:${a.id}`), NOW),
    );
    named = `venue_c:${traded[0]?.id}`;
    store = newStore();
    expect(await run(store)).toMatchObject({ condition: 'good', message: null, rows_left_out: 0 });
    reference = contentOf(store);
  });
  afterEach(() => open.clearFaults());
  afterAll(async () => {
    store.close();
    await open.served.close();
  });

  it('reads every contract, at the last trade of each day, and counts pairs from the first file on', () => {
    let counted = 0;
    const prices = pricesOfEach(store, idsOf(store), 'trades_1440');
    for (const [i, { market_id, volume, status }] of marketsOf(store).entries()) {
      if (status !== 'active') continue;
      const desk = deskOf(market_id);
      const last = prices[i]?.at(-1);
      const trade = findLastTrade(desk, sessionEnd(LAST_DAY) - 1);
      if (last?.observed_at === sessionEnd(LAST_DAY))
        expect([market_id, last.last]).toEqual([
          market_id,
          Number(((trade?.price ?? 0) / DOLLAR).toFixed(2)),
        ]);
      if (volume === null) continue;
      counted++;
      expect(volume, market_id).toBeCloseTo(volumeAt(desk, sessionEnd(LAST_DAY)) / 100, 6);
    }
    expect(counted).toBeGreaterThan(5);
  });

  it('settles ended contracts at what they paid', () => {
    const settled = marketsOf(store).filter(({ status }) => status === 'settled');
    expect(settled.length).toBeGreaterThan(10);
    for (const { market_id, payout } of settled) {
      const { event, outcome } = deskOf(market_id).contract;
      expect([market_id, payout]).toEqual([market_id, open.world.truth.payouts(event)[outcome]]);
    }
  });

  it('shows a contract at the HTTP boundary with its daily candles, without bid, ask or link', async () => {
    compute(store, NOW, () => {});
    const get = askOfMarket(store, named, NOW);
    expect(await get()).toMatchObject({ platform: 'venue_c', link: null, price_basis: 'last' });
    const { data } = (await get('/candles')) as { data: Record<string, unknown>[] };
    expect(data.at(-1)).toMatchObject({ interval_minutes: 1440, volume: expect.any(Number) });
    expect(Object.keys(data.at(-1) ?? {})).toEqual(TRADED_CANDLE);
  });

  const FAULTS = [...SPOILT_ANSWERS, { kind: 'status', code: 404 }, { kind: 'empty' }];
  it.each(FAULTS)('ends in a report with $kind, and the next run completes', async (fault) => {
    const store = newStore();
    const path_prefix = '/forecastex/prices/daily_prices_20261028';
    await expectRecovery(open, [{ path_prefix, ...fault }], () => runWhole(store));
    expect(contentOf(store)).toEqual(reference);
  });

  it.each(['bad_price', 'missing_id'])(
    'names the row that %s left out, and keeps its neighbours',
    async (kind) => {
      const store = newStore();
      const path_prefix = '/forecastex/prices/daily_prices_20261028';
      await open.setFaults({ path_prefix, kind });
      expect(await run(store)).toMatchObject({ condition: 'good', rows_left_out: 1 });
      expect(marketsOf(store)).toHaveLength((reference as { markets: unknown[] }).markets.length);
    },
  );
});
