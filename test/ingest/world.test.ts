import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../src/model/time.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { KALSHI, type OpenWorld, openWorld } from '../world/open-world.ts';
import { withHungOverdue } from './hung-requests.ts';
import { configForWorld, factsOf, feedOf, nameMarkets, runIngest } from './run-ingest.ts';
import { expectRecovery, SPOILT_ANSWERS } from './struck-run.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');
const BASE = '2026-09-20T00:00:00Z';

/** Every listing that a run reads, with how many of its answers pass before the corrupted one. */
const PATHS = [
  { path: `${KALSHI}/events`, after: 1, venue: 'venue_a' },
  { path: `${KALSHI}/markets/candlesticks`, after: 0, venue: 'venue_a' },
  { path: '/gamma/events/keyset', after: 0, venue: 'venue_b_global' },
  { path: '/data/v2/prices-history', after: 1, venue: 'venue_b_global' },
] as const;
const FAULTS = [
  ...SPOILT_ANSWERS,
  { kind: 'status', code: 429, retry_after: 0 },
  { kind: 'repeat_cursor' },
  { kind: 'repeat_page' },
  { kind: 'bad_price' },
  { kind: 'missing_id' },
  { kind: 'empty' },
];

describe('ingest of the simulated world', () => {
  let open: OpenWorld;
  let named: string[];
  let reference: unknown;
  const clean = new Map<string, unknown>();

  const settings = () => configForWorld(open);
  const newStore = (): Store => {
    const store = memoryStore();
    if (named.length > 0) nameMarkets(store, named, BASE);
    return store;
  };
  const run = (store: Store, now = NOW) => runIngest(store, settings(), { now });

  beforeAll(async () => {
    open = await openWorld({ now: NOW, days: 40, topics: ['central-banks', 'crypto'], events_a_page: 10 });
    named = [];
    const catalog = newStore();
    await run(catalog);
    const pick = (family: string) =>
      catalog.read((reader) =>
        reader.all<{ market_id: string }>(
          `SELECT market_id FROM markets JOIN latest_quotes USING (market_key)
           WHERE family = ? AND bid IS NOT NULL ORDER BY market_id LIMIT 3`,
          family,
        ),
      );
    named = [...pick('venue_a'), ...pick('venue_b_global')].map((each) => each.market_id);
    catalog.close();
    const store = newStore();
    const report = await run(store);
    expect(report.feeds.map((each) => each.condition)).toEqual(Array(8).fill('good'));
    reference = factsOf(store);
    store.close();
    for (const venue of ['venue_a', 'venue_b_global'] as const) {
      const alone = newStore();
      await runIngest(alone, settings(), { now: NOW, only: venue });
      clean.set(venue, factsOf(alone));
      alone.close();
    }
  });

  afterEach(() => open.clearFaults());

  afterAll(() => open.served.close());

  it('reads every market that the venues list, with the quotes that they show', async () => {
    const store = newStore();
    await run(store);
    const listed = new Map<string, Record<string, unknown>>();
    for (let cursor = ''; ; ) {
      const { body } = await open.get(
        `${KALSHI}/events?status=open&with_nested_markets=true&cursor=${cursor}`,
      );
      for (const event of body.events as { markets: Record<string, unknown>[] }[])
        for (const market of event.markets) listed.set(`venue_a:${market.ticker}`, market);
      cursor = String(body.cursor);
      if (cursor === '') break;
    }
    const kept = store.read((reader) =>
      reader.all<{ market_id: string; bid: number | null; volume: number }>(
        `SELECT market_id, bid, volume FROM markets LEFT JOIN latest_quotes USING (market_key) WHERE family = 'venue_a'`,
      ),
    );
    expect(kept.map((each) => each.market_id).sort()).toEqual([...listed.keys()].sort());
    for (const { market_id, bid, volume } of kept) {
      const row = listed.get(market_id) ?? {};
      expect([market_id, volume]).toEqual([market_id, Number(row.volume_fp)]);
      if (row.status !== 'finalized')
        expect([market_id, bid ?? 0]).toEqual([
          market_id,
          Number(row.yes_bid_size_fp) > 0 ? Number(row.yes_bid_dollars) : 0,
        ]);
    }
  });

  describe.each(PATHS)('with $path in trouble', ({ path, after, venue }) => {
    it.each(FAULTS)('$kind $code: the run ends with a report and the next one completes', async (fault) => {
      const store = newStore();
      await expectRecovery(open, [{ path_prefix: path, after, ...fault }], () =>
        runIngest(store, settings(), { now: NOW, only: venue }),
      );
      // A history that the other host answered instead holds that host's points.
      const otherHost = path.startsWith('/data') && fault.kind === 'bomb';
      expect(pricesOf(factsOf(store), otherHost)).toEqual(pricesOf(clean.get(venue), otherHost));
    });
  });

  it('gives the same prices in hourly runs as in one run at the end', async () => {
    const hourly = newStore();
    for (let hour = 6; hour >= 0; hour--) {
      open.world.setNow(NOW - hour * HOUR_MS);
      await run(hourly, NOW - hour * HOUR_MS);
    }
    const candles = (facts: unknown) =>
      (facts as Facts).tail
        .concat((facts as Facts).chunks)
        .filter((each) => each.series === 'candle_60')
        .reduce((sum, each) => sum + (each.points ?? 1), 0);
    expect(candles(factsOf(hourly))).toBe(candles(reference));
    expect((factsOf(hourly) as Facts).markets).toEqual((reference as Facts).markets);
  });

  it('reports a venue whose every answer is late, and reads the other one in full', async () => {
    await open.setFaults({ path_prefix: '/kalshi', kind: 'hang', times: 1000 });
    const store = newStore();
    const report = await withHungOverdue(open, (effects) =>
      runIngest(store, settings(), { now: NOW, effects }),
    );
    expect(feedOf(report, 'venue_a/events')).toMatchObject({
      condition: 'failed',
      message: expect.stringContaining('no complete answer in 60 s (3 tries)'),
    });
    expect(feedOf(report, 'venue_b_global/history').condition).toBe('good');
  });
});

interface Facts {
  markets: unknown[];
  tail: { series: string; points?: number }[];
  chunks: { series: string; points?: number }[];
  latest: unknown[];
  known: unknown;
}

// A history that came in two runs has other chunks and checkpoints: only its contents are compared.
function pricesOf(facts: unknown, withoutHistory: boolean): unknown {
  const { tail, chunks, latest, known: _known, ...catalog } = facts as Facts;
  const points: Record<string, number> = {};
  for (const { series, points: count = 1 } of [...tail, ...chunks])
    if (series !== 'history' || !withoutHistory) points[series] = (points[series] ?? 0) + count;
  return { ...catalog, points, latest: withoutHistory ? latest.length : latest };
}
