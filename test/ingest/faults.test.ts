import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import type { IngestReport } from '../../src/ingest/ingest.ts';
import type { Observation } from '../../src/model/observation.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import type { Store } from '../../src/store/store.ts';
import { memoryStore } from '../helpers/memory-store.ts';
import { KALSHI, type OpenWorld, openWorld } from '../world/open-world.ts';
import { withHungOverdue } from './hung-requests.ts';
import {
  configForWorld,
  factsOf,
  feedOf,
  nameMarkets,
  pricesOf,
  runIngest,
  testEffects,
} from './run-ingest.ts';

/** One test for each fault of ingest in the failure model (F1 to F15), each telling what came of it. */

const NOW = Date.parse('2026-10-29T12:00:00Z');
const BASE = '2026-10-20T00:00:00Z';
const EVENTS = `${KALSHI}/events`;
const CANDLES = `${KALSHI}/markets/candlesticks`;

describe('the faults of the failure model', () => {
  let open: OpenWorld;
  let named: string[];
  let store: Store;

  const settings = (changes: object = {}) => configForWorld(open, changes);
  const run = (now = NOW, into = store) => {
    open.world.setNow(now);
    return runIngest(into, settings(), { now, only: 'venue_a' });
  };
  const newStore = () => {
    const fresh = memoryStore();
    if (named.length > 0) nameMarkets(fresh, named, BASE);
    return fresh;
  };
  const conditions = (report: IngestReport) => report.feeds.map((each) => each.condition);
  const market = (id = '') => store.read((reader) => findMarket(reader, id));
  const rows = <Row>(sql: string) => store.read((reader) => reader.all<Row>(sql));

  beforeAll(async () => {
    open = await openWorld({
      now: NOW,
      days: 40,
      topics: ['central-banks', 'weather'],
      events_a_page: 20,
    });
    named = [];
    store = newStore();
    await run();
    named = rows<{ market_id: string }>(
      `SELECT market_id FROM markets JOIN latest_quotes USING (market_key)
       WHERE bid IS NOT NULL AND ask IS NOT NULL ORDER BY market_id LIMIT 3`,
    ).map((each) => each.market_id);
    store.close();
  });

  beforeEach(() => {
    store = newStore();
  });

  afterEach(async () => {
    store.close();
    await open.clearFaults();
    open.world.setNow(NOW);
  });

  afterAll(() => open.served.close());

  it('[F1] a venue that hangs or resets: the run ends, the other venue is complete, nothing is lost', async () => {
    await runIngest(store, settings(), { now: NOW });
    const before = rows('SELECT count(*) FROM markets');
    await open.setFaults(
      { path_prefix: '/kalshi', kind: 'hang', times: 4 },
      { path_prefix: '/kalshi', kind: 'reset', times: 1000 },
    );
    const report = await withHungOverdue(open, (effects) =>
      runIngest(store, settings(), { now: NOW + HOUR_MS, effects }),
    );
    expect(feedOf(report, 'venue_a/events').condition).toBe('failed');
    expect(feedOf(report, 'venue_b_global/events').condition).toBe('good');
    expect(rows('SELECT count(*) FROM markets')).toEqual(before);
  });

  it('[F2] 429 without a pause, as JSON, and a slow answer: at least a second between retries, then complete', async () => {
    await open.setFaults(
      { path_prefix: EVENTS, kind: 'status', code: 429, retry_after: 0, times: 2 },
      { path_prefix: EVENTS, kind: 'slow', seconds: 0.05 },
    );
    const effects = testEffects();
    const report = await runIngest(store, settings(), { now: NOW, only: 'venue_a', effects });
    expect(conditions(report)).toEqual(Array(5).fill('good'));
    expect(effects.slept.filter((ms) => ms >= 1000)).toHaveLength(2);
  });

  it('[F3] half an answer, truncated or as JSON: asked again, and nothing of the half is kept', async () => {
    const clean = newStore();
    await run(NOW, clean);
    await open.setFaults({ path_prefix: EVENTS, kind: 'truncate' }, { path_prefix: EVENTS, kind: 'cut' });
    expect(conditions(await run())).toEqual(Array(5).fill('good'));
    expect(factsOf(store)).toEqual(factsOf(clean));
  });

  it.each(['repeat_cursor', 'repeat_page'])(
    '[F4] %s: the walk stops and says so, and no market is considered gone',
    async (kind) => {
      await run();
      await open.setFaults({ path_prefix: EVENTS, kind, after: 1, times: 1 });
      const report = await run(NOW + HOUR_MS);
      expect(feedOf(report, 'venue_a/events')).toMatchObject({
        condition: 'partial',
        message: expect.stringMatching(/the rest of the list was not read$/),
      });
      expect(rows("SELECT 1 FROM markets WHERE venue_status = 'not listed'")).toEqual([]);
    },
  );

  it('[F5] a row that slips between two pages is looked up by its id, and found', async () => {
    await run();
    await open.setFaults({ path_prefix: EVENTS, kind: 'drop_first_row', times: 1 });
    const report = await run(NOW + MINUTE_MS);
    expect(feedOf(report, 'venue_a/events').condition).toBe('good');
    const missed = rows(
      `SELECT 1 FROM markets WHERE status <> 'settled' AND last_seen_at < ${NOW + MINUTE_MS}`,
    );
    expect(missed).toEqual([]);
  });

  it('[F6] repeated and reordered rows and candles: the same tables', async () => {
    const clean = newStore();
    await run(NOW, clean);
    await open.setFaults(
      { path_prefix: EVENTS, kind: 'repeat_each_row', times: 100 },
      { path_prefix: CANDLES, kind: 'repeat_each_row', times: 100 },
    );
    expect(conditions(await run())).toEqual(Array(5).fill('good'));
    expect(factsOf(store)).toEqual(factsOf(clean));
  });

  it('[F7] a revised candle is a new revision beside the old one, with the instant it was recorded', async () => {
    const [id = ''] = named;
    await run();
    const before = pricesOf(store, id, 'candle_60');
    const last = before.at(-1);
    // The newest candle is asked for again, and those of the two hours before it.
    await open.setFaults({ path_prefix: CANDLES, kind: 'revise_prices', times: 100 });
    await run(NOW + 2 * HOUR_MS);
    const after = pricesOf(store, id, 'candle_60');
    expect(after.slice(0, before.length - 3)).toEqual(before.slice(0, -3));
    const knownAt = (instant: number) => pricesOf(store, id, 'candle_60', instant).find(isLast)?.ask ?? 0;
    const isLast = (each: Observation) => each.observed_at === last?.observed_at;
    expect(knownAt(NOW)).toBe(last?.ask);
    expect(knownAt(NOW) - knownAt(NOW + 2 * HOUR_MS)).toBeCloseTo(0.01);
  });

  it('[F8] values that are no prices: each such row is left out with its reason, the others are kept', async () => {
    await open.setFaults({ path_prefix: EVENTS, kind: 'odd_prices', times: 1 });
    const events = feedOf(await run(), 'venue_a/events');
    expect(events.rows_left_out).toBeGreaterThan(10);
    expect(events.first_reasons[0]).toMatch(/yes_(bid|ask)_dollars must be 0 to 1, got/);
    expect(events.message).toMatch(/rows could not be read; has the format changed\?$/);
    const wrong = rows(
      'SELECT 1 FROM latest_quotes WHERE bid NOT BETWEEN 0 AND 1 OR ask NOT BETWEEN 0 AND 1',
    );
    expect(wrong).toEqual([]);
  });

  it.each(['zero_prices', 'rename_prices'])(
    '[F9] %s: the rows are rejected, the last good ones stay, and the crawl does not count',
    async (kind) => {
      await run();
      const before = factsOf(store);
      await open.setFaults({ path_prefix: '/kalshi', kind, times: 1000 });
      const report = await run(NOW + HOUR_MS);
      expect(feedOf(report, 'venue_a/events')).toMatchObject({
        condition: 'partial',
        message: expect.stringMatching(
          /^\w+ is zero or missing in \d+ of \d+ rows that had it before; the page was not stored$/,
        ),
        rows_changed: 0,
      });
      expect((factsOf(store) as { markets: unknown }).markets).toEqual(
        (before as { markets: unknown }).markets,
      );
      await open.clearFaults();
      expect(conditions(await run(NOW + 2 * HOUR_MS))).toEqual(Array(5).fill('good'));
    },
  );

  it('[F9] candles that arrive without any price are rejected, and requested again', async () => {
    await run();
    await open.setFaults({ path_prefix: CANDLES, kind: 'empty_candles', times: 100 });
    const later = NOW + 24 * HOUR_MS;
    const candles = feedOf(await run(later), 'venue_a/candles');
    expect(candles).toMatchObject({
      condition: 'partial',
      message: expect.stringMatching(/candles of quoted markets are empty; they were not stored$/),
      observations_added: 0,
    });
    await open.clearFaults();
    expect(feedOf(await run(later), 'venue_a/candles').observations_added).toBeGreaterThan(20);
  });

  it('[F10] candles from a day ahead are left out with the reason, and requested once more', async () => {
    await open.setFaults({ path_prefix: CANDLES, kind: 'postdate', times: 100 });
    const candles = feedOf(await run(), 'venue_a/candles');
    expect(candles.rows_left_out).toBeGreaterThan(0);
    expect(candles.first_reasons[0]).toContain('end_period_ts must not be more than an hour ahead');
    expect(candles).toMatchObject({
      condition: 'partial',
      message: expect.stringMatching(/^\d+ of \d+ rows could not be read/),
    });
    const [id = ''] = named;
    expect(pricesOf(store, id, 'candle_60').every((each) => each.observed_at <= NOW)).toBe(true);
  });

  it('[F10] a clock that went back: nothing is fetched or computed, and the message says what it must be', async () => {
    await run();
    const before = factsOf(store);
    const refusal =
      'now must not be before the last run into this store, at 2026-10-29T12:00:00Z, got 2026-10-29T11:59:00Z';
    await expect(run(NOW - MINUTE_MS)).rejects.toThrow(refusal);
    expect(() => compute(store, NOW - MINUTE_MS, () => {})).toThrow(refusal);
    expect(factsOf(store)).toEqual(before);
    expect(conditions(await run())).toEqual(Array(5).fill('good'));
  });

  it('[F11] the night the clocks go back: every hour once, in order', async () => {
    const until = Date.parse('2026-11-01T12:00:00Z');
    await run();
    await run(until);
    const hours = named.flatMap((id) => pricesOf(store, id, 'candle_60').map((each) => each.observed_at));
    expect(new Set(hours.map((at) => at % HOUR_MS))).toEqual(new Set([0]));
    for (const id of named) {
      const own = pricesOf(store, id, 'candle_60').map((each) => each.observed_at);
      expect(own).toEqual([...new Set(own)].sort((a, b) => a - b));
    }
  });

  it('[F12] changed texts for the same ids: rows are updated, keys and prices stay', async () => {
    const [id] = named;
    await run();
    const before = market(id);
    await open.setFaults({ path_prefix: EVENTS, kind: 'rename_titles', times: 100 });
    await run(NOW + MINUTE_MS);
    expect(market(id)).toMatchObject({ market_key: before?.market_key, first_seen_at: NOW });
    expect(market(id)?.question).toMatch(/^Renamed: /);
  });

  it('[F13] every list in another order: the same tables', async () => {
    const clean = newStore();
    await run(NOW, clean);
    await open.setFaults({ path_prefix: '/kalshi', kind: 'shuffle_rows', times: 1000 });
    expect(conditions(await run())).toEqual(Array(5).fill('good'));
    expect(factsOf(store)).toEqual(factsOf(clean));
  });

  it('[F14] an overturned outcome is a new status beside the old one', async () => {
    const settled = [...open.world.catalog.kalshi.markets.values()].find(
      ({ contract }) =>
        contract.event.known_at < NOW - 3 * 24 * HOUR_MS && contract.event.known_at > NOW - 5 * 24 * HOUR_MS,
    );
    const id = `venue_a:${settled?.ticker}`;
    nameMarkets(store, [id], BASE);
    await run();
    const first = market(id);
    expect(first?.status).toBe('settled');
    await open.setFaults({ path_prefix: `${KALSHI}/markets`, kind: 'reverse_outcomes', times: 100 });
    await run(NOW + HOUR_MS);
    expect(market(id)?.payout).toBe(1 - (first?.payout ?? 0));
    const payouts = rows<{ payout: number }>(
      `SELECT market_statuses.payout FROM market_statuses JOIN markets USING (market_key) WHERE market_id = '${id}' ORDER BY observed_at`,
    );
    expect(payouts.map((each) => each.payout)).toEqual([first?.payout, 1 - (first?.payout ?? 0)]);
  });

  it('[F15] an ask side that empties is an empty side, not a price of a dollar', async () => {
    await open.setFaults({ path_prefix: EVENTS, kind: 'empty_asks', times: 100 });
    await run(NOW + MINUTE_MS);
    expect(rows('SELECT 1 FROM latest_quotes WHERE ask IS NOT NULL AND book_at IS NOT NULL')).toEqual([]);
    expect(rows('SELECT 1 FROM latest_quotes WHERE bid IS NOT NULL').length).toBeGreaterThan(10);
  });
});
