import { expect, it } from 'vitest';
import { DAY_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { KALSHI, openWorld } from '../world/open-world.ts';
import { configForWorld, feedOf, nameMarkets, pricesOfEach, runIngest } from './run-ingest.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');
const BASE = '2026-07-10T00:00:00Z';

/** What a first run knows of some markets when the venue has moved what settled before an instant. */
async function knownWith(historical_cutoff: number) {
  const open = await openWorld({ now: NOW, topics: ['central-banks'], historical_cutoff });
  const settled = [...open.world.catalog.kalshi.markets.keys()].filter((ticker) => ticker.includes('26SEP'));
  const named = settled.map((ticker) => `venue_a:${ticker}`);
  const store = memoryStore();
  nameMarkets(store, named, BASE);
  const settings = configForWorld(open);
  const report = await runIngest(store, settings, { now: NOW, only: 'venue_a' });
  expect(feedOf(report, 'venue_a/candles')).toMatchObject({ condition: 'good', rows_left_out: 0 });
  const markets = store.read((reader) =>
    named.map((id) => {
      const { status, settled_at, payout, question, volume } = findMarket(reader, id) ?? {};
      return { id, status, settled_at, payout, question, volume };
    }),
  );
  const prices = pricesOfEach(store, named, 'candle_60');
  const { requests } = (await open.get('/_world/requests')).body as { requests: Record<string, number> };
  await open.served.close();
  const historical = Object.keys(requests).filter((path) => path.startsWith(`${KALSHI}/historical/markets/`));
  return { known: { markets, prices }, historical };
}

it('markets that moved to the historical tier have the same history as before', async () => {
  const live = await knownWith(NOW - 120 * DAY_MS);
  const moved = await knownWith(NOW - DAY_MS);
  expect(live.known.markets.filter(({ status }) => status === 'settled').length).toBeGreaterThan(5);
  expect(live.known.prices.flat().length).toBeGreaterThan(1000);
  expect(live.historical).toEqual([]);
  expect(moved.historical.length).toBeGreaterThan(5);
  expect(moved.known).toEqual(live.known);
});
