import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDesk } from '../../scripts/world/catalog.ts';
import { DOLLAR, quoteAt, slotAt, slotStart } from '../../scripts/world/truth/quotes.ts';
import { countTrades, listTrades, volumeAt, volumeOf } from '../../scripts/world/truth/trades.ts';
import { compute } from '../../src/compute/compute.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { type OpenWorld, openWorld } from '../world/open-world.ts';
import { askOfMarket, TRADED_CANDLE } from './ask-of-market.ts';
import { configFor, factsOf, feedOf, nameMarkets, pricesOf, runIngest } from './run-ingest.ts';
import { expectRecovery, SPOILT_ANSWERS } from './struck-run.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');
const LATER = NOW + 6 * HOUR_MS;

describe('ingest of the simulated Hyperliquid', () => {
  let open: OpenWorld;
  let named: string[];
  /** Facts after an undisturbed run at NOW. */
  let store: Store;

  const newStore = (names = named): Store => {
    const store = openStore(':memory:');
    nameMarkets(store, names, '2026-09-20T00:00:00Z');
    return store;
  };
  const run = (store: Store, now = NOW, { world, served } = open) => {
    world.setNow(now);
    return runIngest(store, configFor(served.origin), { now, only: 'venue_c' });
  };
  const deskOf = (id: string) => {
    const contract = open.world.catalog.outcomes.outcomes.get(id.slice('venue_c:'.length))?.contract;
    if (!contract) throw new Error(`the world has no ${id}`);
    return openDesk(open.world.truth, contract);
  };
  // Trades of a slot belong to the day in which the slot begins.
  const lifetime = (id: string, now: number) => {
    const desk = deskOf(id);
    const today = Math.floor(now / DAY_MS) * DAY_MS;
    const slot = slotAt(desk.habits, today);
    return volumeOf(desk, countTrades(desk, slotStart(desk.habits, slot) === today ? slot - 1 : slot)) / 100;
  };

  beforeAll(async () => {
    open = await openWorld({ now: NOW, days: 40, topics: ['central-banks', 'crypto'] });
    const { questions, outcomes } = open.world.catalog.outcomes;
    const question = questions.find(({ truth }) => truth.key === 'SIMFED-26DEC');
    const settled = questions.find(({ truth }) => truth.key === 'SIMFED-26OCT');
    const coin = [...outcomes.values()].find(
      ({ truth }) => truth.key.startsWith('SIMBTCM-') && truth.known_at > NOW,
    );
    named = [question?.named[2], settled?.named[2], coin].map((each) => `venue_c:${each?.number}`);
    store = newStore();
    const report = await run(store);
    expect(report.feeds.map(({ condition, message }) => [condition, message])).toEqual(
      Array(4).fill(['good', null]),
    );
  });
  afterAll(async () => {
    store.close();
    await open.served.close();
  });

  interface Fact {
    market_id: string;
    status: string;
    payout: number | null;
  }
  const marketsOf = (store: Store) => (factsOf(store) as { markets: Fact[] }).markets;

  it('reads every live outcome with its true book', () => {
    const kept = store.read((reader) =>
      reader.all<{ market_id: string; status: string; bid: number | null; ask: number | null }>(
        'SELECT market_id, status, bid, ask FROM markets LEFT JOIN latest_quotes USING (market_key)',
      ),
    );
    let quoted = 0;
    for (const { market_id, status, bid, ask } of kept) {
      const outcome = open.world.catalog.outcomes.outcomes.get(market_id.slice('venue_c:'.length));
      if (status !== 'active' || !outcome?.contract) continue;
      const quote = quoteAt(deskOf(market_id), NOW);
      expect([market_id, bid, ask]).toEqual([
        market_id,
        quote.bid === undefined ? null : quote.bid / DOLLAR,
        quote.ask === undefined ? null : quote.ask / DOLLAR,
      ]);
      quoted++;
    }
    expect(quoted).toBeGreaterThan(20);
  });

  it('[2.1/6] counts the lifetime taker contracts to the end of yesterday, the Yes side alone', async () => {
    const store = newStore();
    await run(store);
    const volumes = () =>
      store.read((reader) =>
        reader.all<{ market_id: string; volume: number }>(
          "SELECT market_id, volume FROM markets WHERE volume IS NOT NULL AND volume_unit = 'contracts'",
        ),
      );
    expect(volumes().length).toBeGreaterThan(20);
    for (const { market_id, volume } of volumes())
      expect(volume, market_id).toBeCloseTo(lifetime(market_id, NOW), 6);
    await run(store, NOW + DAY_MS);
    const next = volumes().filter(({ market_id }) => deskOf(market_id).life.close_at > NOW + DAY_MS);
    for (const { market_id, volume } of next)
      expect(volume, market_id).toBeCloseTo(lifetime(market_id, NOW + DAY_MS), 6);
    expect(volumeAt(deskOf(named[0] ?? ''), NOW)).toBeGreaterThan(0);
    store.close();
  });

  it('gives true hourly candles', () => {
    const candles = pricesOf(store, named[0] ?? '', 'trades_60');
    expect(candles.length).toBeGreaterThan(100);
    for (const { observed_at, last, volume } of candles.slice(-30)) {
      const trades = listTrades(deskOf(named[0] ?? ''), observed_at - HOUR_MS, observed_at, 10_000);
      expect([observed_at, last]).toEqual([observed_at, (trades[0]?.price ?? 0) / DOLLAR]);
      expect(volume).toBeCloseTo(trades.reduce((sum, { size }) => sum + size, 0) / 100, 6);
    }
  });

  it('settles a named outcome at its payout, and others when they leave the list', async () => {
    const contract = deskOf(named[1] ?? '').contract;
    const store = newStore();
    await run(store);
    expect(marketsOf(store).find(({ market_id }) => market_id === named[1])).toMatchObject({
      status: 'settled',
      payout: open.world.truth.payouts(contract.event)[contract.outcome],
    });
    const end = Date.parse('2026-11-05T00:00:00Z');
    const gone = () =>
      marketsOf(store).filter(
        ({ market_id }) =>
          deskOf2(market_id) !== undefined && (deskOf2(market_id)?.life.finalized_at ?? 0) <= end,
      );
    const deskOf2 = (id: string) =>
      open.world.catalog.outcomes.outcomes.get(id.slice('venue_c:'.length))?.contract && deskOf(id);
    await run(store, end);
    expect(gone().length).toBeGreaterThan(1);
    expect(gone().filter(({ status }) => status !== 'settled')).toEqual([]);
    store.close();
  });

  it('shows a market of venue C at the HTTP boundary as the specification says', async () => {
    compute(store, NOW, () => {});
    const get = askOfMarket(store, named[0] ?? '', NOW);
    const body = await get();
    expect(body).toMatchObject({
      platform: 'venue_c',
      volume_unit: 'contracts',
      link: `https://c.test/trade/%23${named[0]?.slice('venue_c:'.length)}0`,
    });
    expect(body.volume).toBeCloseTo(lifetime(named[0] ?? '', NOW), 6);
    expect(body.latest_price).toBeGreaterThan(0);
    for (const field of ['event_ticker', 'rules_primary', 'yes_sub_title', 'market_type'])
      expect(body).not.toHaveProperty(field);
    const { data } = (await get('/candles')) as { data: Record<string, unknown>[] };
    expect(Object.keys(data.at(-1) ?? {})).toEqual(TRADED_CANDLE);
  });

  describe('in trouble', () => {
    // Fewer outcomes, since each takes two requests a run.
    let small: OpenWorld;
    let few: string[];
    let reference: ReturnType<typeof contentOf>;

    // The venue does not say when it settled: that is the run that first saw it, and may be a later one.
    const contentOf = (store: Store) => ({
      markets: marketsOf(store).map((each) => ({ ...each, settled_at: 0 })),
      prices: few.map((id) => pricesOf(store, id, 'trades_60')),
    });

    beforeAll(async () => {
      small = await openWorld({ now: NOW, days: 40, topics: ['central-banks'] });
      few = named.slice(0, 2);
      const store = newStore(few);
      for (const now of [NOW, LATER]) await run(store, now, small);
      reference = contentOf(store);
      store.close();
    });
    afterEach(() => small.clearFaults());
    afterAll(() => small.served.close());

    const FAULTS = [
      ...SPOILT_ANSWERS,
      { kind: 'status', code: 429 },
      { kind: 'bad_price' },
      { kind: 'missing_id' },
      { kind: 'empty' },
    ];
    // The one route answers the supplies, the outcomes, a settlement, two candles, then books and volumes.
    const STEPS = [1, 3, 20];
    /** Faults in the list of outcomes that end the run before the other steps. */
    const ENDING = ['bomb', 'empty'];
    // Each run meets a fault at every step, each time of another kind: in total every kind at every step.
    const STRUCK = FAULTS.flatMap((first, i) => {
      const faults = STEPS.map((after, step) => ({
        path_prefix: '/hyperliquid',
        after,
        kind: '',
        ...FAULTS[(i + 3 * step) % FAULTS.length],
      }));
      return ENDING.includes(first.kind) ? faults.map((fault) => [fault]) : [faults];
    }).map((faults) => ({ faults, names: faults.map(({ kind }) => kind).join(', then ') }));
    it.each(STRUCK)('ends in a report with $names, and a later run completes', async ({ faults }) => {
      const store = newStore(few);
      await expectRecovery(
        small,
        faults,
        () => run(store, NOW, small),
        () => run(store, LATER, small),
      );
      expect(contentOf(store)).toEqual(reference);
      store.close();
    });
  });

  it('counts the weight of its requests as the venue does', async () => {
    const store = newStore();
    const slept: number[] = [];
    const settings = configFor(open.served.origin);
    settings.venues.venue_c.weight_per_second = 10;
    open.world.setNow(NOW);
    const effects = {
      now: () => NOW,
      fetch,
      random: () => 0.5,
      sleep: async (ms: number) => void slept.push(ms),
    };
    const report = await runIngest(store, settings, { now: NOW, only: 'venue_c', effects });
    const books = feedOf(report, 'venue_c/books').requests;
    const outcomes = feedOf(report, 'venue_c/outcomes').requests;
    const all = report.feeds.reduce((sum, each) => sum + each.requests, 0);
    expect(slept.filter((ms) => ms === 200)).toHaveLength(books);
    expect(slept.filter((ms) => ms === 2000)).toHaveLength(outcomes);
    // Candles, of hours and of days.
    expect(slept.filter((ms) => ms > 2000)).toHaveLength(all - books - outcomes);
    store.close();
  });
});
