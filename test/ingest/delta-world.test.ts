import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDesk } from '../../scripts/world/catalog.ts';
import type { Contract } from '../../scripts/world/truth/contracts.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { type OpenWorld, openWorld } from '../world/open-world.ts';
import { configForWorld, nameMarkets, pricesOf, runIngest } from './run-ingest.ts';

const FIRST = Date.parse('2026-10-28T09:00:00Z');
/** Over the meeting of the Fed, whose markets settle in between. */
const LAST = FIRST + 30 * HOUR_MS;
/** Polymarket keeps hourly points of ninety days: the older part of this comes in another way. */
const BASE = '2026-07-01T00:00:00Z';

interface Known {
  market_id: string;
  event_id: string | null;
  status: string;
  settled_at: number | null;
  closes_at: number | null;
  question: string;
}

describe('a store updated run by run, and one filled at the end', () => {
  let open: OpenWorld;
  let kept: Store;
  let filled: Store;
  let named: string[];

  const run = (store: Store, now: number, full_crawl_minutes: number) => {
    open.world.setNow(now);
    const settings = configForWorld(open, { full_crawl_minutes });
    settings.venues.venue_b_us.enabled = true;
    return runIngest(store, settings, { now });
  };
  const newStore = () => {
    const store = openStore(':memory:');
    nameMarkets(store, named, BASE);
    return store;
  };
  const marketsOf = (store: Store) =>
    new Map(
      store.read((reader) =>
        reader
          .all<Known>(
            `SELECT market_id, event_id, question, status, payout, settled_at, closes_at, volume FROM markets`,
          )
          .map((row) => [row.market_id, row]),
      ),
    );

  beforeAll(async () => {
    open = await openWorld({ now: FIRST, topics: ['central-banks'] });
    const { kalshi, polymarket, us } = open.world.catalog;
    const openAt = ({ contract }: { contract: Contract }) =>
      openDesk(open.world.truth, contract).life.finalized_at > FIRST;
    const namesOf = (prefix: string, markets: ReadonlyMap<string, { contract: Contract }>) =>
      [...markets].flatMap(([id, market]) => (openAt(market) ? [prefix + id] : []));
    named = [
      ...namesOf('venue_a:', kalshi.markets),
      ...namesOf('venue_b:', polymarket.markets),
      ...namesOf('venue_b:us:', us.markets),
    ].filter((id, i) => i % 4 === 0 || id.includes('26OCT'));
    kept = newStore();
    await run(kept, FIRST, 0);
    for (let now = FIRST + 5 * HOUR_MS; now <= LAST; now += 5 * HOUR_MS) await run(kept, now, 100_000);
    await run(kept, LAST, 0);
    filled = newStore();
    await run(filled, LAST, 0);
  });

  afterAll(async () => {
    kept.close();
    filled.close();
    await open.served.close();
  });

  it('agree on every market that both have seen', () => {
    const [before, at] = [marketsOf(kept), marketsOf(filled)];
    expect(at.size).toBeGreaterThan(50);
    for (const [id, market] of at) {
      // A Polymarket US market that is first met when it has settled does not say in which event, nor when.
      const alone = market.event_id === null ? { event_id: null, settled_at: market.settled_at } : {};
      expect({ ...before.get(id), ...alone }, id).toEqual(market);
    }
    const settled = [...before.values()].filter(({ status }) => status === 'settled');
    expect(settled.length).toBeGreaterThan(5);
    const questions = [...before].map(([id, { question }]) => `${id.split(':')[0]} ${question}`);
    expect(new Set(questions).size).toBe(questions.length);
  });

  it('have the same history, without a hole where the venue keeps its points at another interval', () => {
    let points = 0;
    const markets = marketsOf(filled);
    for (const id of named)
      for (const series of ['candle_60', 'history'] as const) {
        const ends = new Map(pricesOf(kept, id, series).map((each) => [each.observed_at, each]));
        // Beside its grid a venue shows the tick of the moment, and at its close first this, then that.
        const whole = pricesOf(filled, id, series).filter(
          ({ observed_at }) => observed_at % HOUR_MS === 0 && observed_at < (markets.get(id)?.closes_at ?? 0),
        );
        expect(
          whole.map(({ observed_at }) => ends.get(observed_at)),
          id,
        ).toEqual(whole);
        const times = whole.map(({ observed_at }) => observed_at);
        const steps = times.slice(1).map((at, i) => at - (times[i] ?? 0));
        if (series === 'history' && markets.get(id)?.status === 'active')
          expect(
            steps.filter((ms) => ms !== HOUR_MS),
            id,
          ).toEqual([]);
        points += whole.length;
      }
    expect(points).toBeGreaterThan(20_000);
  });
});
