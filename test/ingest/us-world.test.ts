import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDesk } from '../../scripts/world/catalog.ts';
import { DOLLAR, quoteAt } from '../../scripts/world/truth/quotes.ts';
import { volumeAt } from '../../scripts/world/truth/trades.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { type OpenWorld, openWorld } from '../world/open-world.ts';
import { configFor, factsOf, feedOf, nameMarkets, pricesOf, runIngest } from './run-ingest.ts';
import { expectRecovery, SPOILT_ANSWERS } from './struck-run.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');
const NAMED = [
  'venue_b:us:tec-sim-us-fed-decision-in-december-2026-h0',
  'venue_b:us:tec-sim-us-fed-decision-in-october-2026-h0',
];

describe('ingest of the simulated Polymarket US', () => {
  let open: OpenWorld;
  let reference: ReturnType<typeof contentOf>;

  const newStore = (): Store => {
    const store = memoryStore();
    nameMarkets(store, NAMED, '2026-09-20T00:00:00Z');
    return store;
  };
  const run = (store: Store, now = NOW) =>
    runIngest(store, configFor(open.served.origin), { now, only: 'venue_b_us' });

  beforeAll(async () => {
    open = await openWorld({ now: NOW, days: 40, topics: ['us-states', 'central-banks'] });
    const store = newStore();
    const report = await run(store);
    expect(report.feeds.map(({ condition, message }) => [condition, message])).toEqual(
      Array(3).fill(['good', null]),
    );
    reference = contentOf(store);
    store.close();
  });
  afterEach(() => open.clearFaults());
  afterAll(() => open.served.close());

  it('reads every open event whole, with the true quotes and volumes', async () => {
    const store = newStore();
    await run(store);
    const { truth, catalog } = open.world;
    const kept = store.read((reader) =>
      reader.all<{
        native_id: string;
        status: string;
        bid: number | null;
        ask: number | null;
        volume: number;
      }>(
        'SELECT native_id, status, bid, ask, volume FROM markets LEFT JOIN latest_quotes USING (market_key)',
      ),
    );
    for (const row of kept) {
      const market = catalog.us.markets.get(row.native_id);
      if (!market) throw new Error(`the world has no ${row.native_id}`);
      const desk = openDesk(truth, market.contract);
      expect(row.volume, row.native_id).toBe(volumeAt(desk, NOW) / 100);
      if (row.status !== 'active') continue;
      const { bid, ask } = quoteAt(desk, NOW);
      expect([row.native_id, row.bid, row.ask]).toEqual([
        row.native_id,
        bid === undefined ? null : bid / DOLLAR,
        ask === undefined ? null : ask / DOLLAR,
      ]);
    }
    const listed = [...catalog.us.markets.values()].filter(
      ({ event }) => event.truth.listed_at <= NOW && event.truth.known_at > NOW,
    );
    expect(listed.length).toBeGreaterThan(15);
    expect(listed.filter(({ slug }) => !kept.some((row) => row.native_id === slug))).toEqual([]);
  });

  it('settles a named market at its payout', () => {
    const slug = NAMED[1]?.slice('venue_b:us:'.length) ?? '';
    const contract = open.world.catalog.us.markets.get(slug)?.contract;
    if (!contract) throw new Error(`the world has no ${slug}`);
    expect(reference.markets.find(({ market_id }) => market_id === NAMED[1])).toMatchObject({
      status: 'settled',
      payout: open.world.truth.payouts(contract.event)[contract.outcome],
    });
  });

  it('[2.1.2/2] gives the last day hour by hour as the true quotes, and three-hourly before that', async () => {
    const store = newStore();
    await run(store);
    const slug = NAMED[0]?.slice('venue_b:us:'.length) ?? '';
    const contract = open.world.catalog.us.markets.get(slug)?.contract;
    if (!contract) throw new Error(`the world has no ${slug}`);
    const desk = openDesk(open.world.truth, contract);
    const body = pricesOf(store, NAMED[0] ?? '', 'candle_60');
    const lastDay = body.filter(({ observed_at }) => observed_at > NOW - DAY_MS);
    expect(lastDay).toHaveLength(24);
    for (const { observed_at, bid, ask } of lastDay) {
      const quote = quoteAt(desk, observed_at);
      expect([observed_at, bid, ask]).toEqual([
        observed_at,
        quote.bid && quote.bid / DOLLAR,
        quote.ask && quote.ask / DOLLAR,
      ]);
    }
    const before = body
      .filter(({ observed_at }) => observed_at <= NOW - DAY_MS)
      .map(({ observed_at }) => observed_at);
    expect(before.length).toBeGreaterThan(40 * 4);
  });

  const PATHS = ['/us/v1/events', '/us/v1/price-history', '/us/v1/markets/'];
  const FAULTS = [
    ...SPOILT_ANSWERS,
    { kind: 'status', code: 429 },
    { kind: 'repeat_page', after: 1 },
    { kind: 'bad_price' },
    { kind: 'missing_id' },
    { kind: 'empty' },
  ];
  describe.each(PATHS)('%s', (path_prefix) => {
    // Points do not name their market, so that those of another answer cannot be told.
    const faults = FAULTS.filter(({ kind }) => kind !== 'repeat_page' || !path_prefix.endsWith('history'));
    it.each(faults)('ends in a report with $kind, and the next run completes', async (fault) => {
      const store = newStore();
      await expectRecovery(open, [{ path_prefix, ...fault }], () => run(store));
      expect(contentOf(store)).toEqual(reference);
    });
  });

  it('gives the same prices in hourly runs as in one at the end', async () => {
    const hourly = newStore();
    for (let hour = 5; hour >= 0; hour--) {
      open.world.setNow(NOW - hour * HOUR_MS);
      await run(hourly, NOW - hour * HOUR_MS);
    }
    const lastCandles = (store: Store) =>
      NAMED.map((id) =>
        pricesOf(store, id, 'candle_60').filter((each) => each.observed_at > NOW - 5 * HOUR_MS),
      );
    const once = newStore();
    await run(once);
    expect(lastCandles(hourly)).toEqual(lastCandles(once));
    expect(feedOf(await run(hourly), 'venue_b_us/price-history').observations_added).toBe(0);
  });
});

// A history that came in two runs lies in other chunks: what it holds is compared.
function contentOf(store: Store) {
  const { markets } = factsOf(store) as {
    markets: { market_id: string; status: string; payout: number | null }[];
  };
  return { markets, prices: NAMED.map((id) => pricesOf(store, id, 'candle_60')) };
}
