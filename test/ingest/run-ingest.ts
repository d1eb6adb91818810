import { setImmediate } from 'node:timers/promises';
import { settingsFor } from '../../scripts/world/settings.ts';
import { type IngestReport, ingest } from '../../src/ingest/ingest.ts';
import { type Config, config } from '../../src/model/config.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import type { Effects, Progress } from '../../src/model/effects.ts';
import type { Observation, Series } from '../../src/model/observation.ts';
import { findMarket } from '../../src/store/catalog/catalog.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { loadTail, observationsOf, selectPrices } from '../../src/store/prices/price-reads.ts';
import { insertRun } from '../../src/store/runs.ts';
import type { Store } from '../../src/store/store.ts';
import { KALSHI, type OpenWorld } from '../world/open-world.ts';

/** The instant of the runs of these tests. */
export const NOW = Date.parse('2026-11-10T12:00:00Z');

/** Effects that reach loopback and wait for nothing; `slept` says how long they would have. */
export function testEffects(): Effects & { slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => NOW,
    fetch,
    sleep: async (ms, signal) => {
      slept.push(ms);
      await setImmediate();
      signal?.throwIfAborted();
    },
    random: () => 0.5,
  };
}

/**
 * Settings with every host at one origin: those of the simulated world, but Kalshi under /kalshi. The venues other than
 * Kalshi and Polymarket Global are off until a test wants one alone, and so are the registry and news.
 */
export function configFor(origin: string, changes: object = {}): Config {
  const { venues, registries, news } = settingsFor(origin);
  const settings = config.parse({
    ingest: {
      full_crawl_minutes: 0,
      attempts: 3,
      request_timeout_seconds: 60,
      max_body_bytes: 8 * 2 ** 20,
      ...changes,
    },
    venues,
    registries,
    news: { ...news, feeds: [] },
  });
  for (const [name, venue] of Object.entries(settings.venues))
    venue.enabled = name === 'venue_a' || name === 'venue_b_global';
  settings.registries.cftc.enabled = false;
  settings.venues.venue_a.base_url = `${origin}/kalshi`;
  return settings;
}

/** The same for a simulated world, which serves Kalshi under the venue's own path. */
export function configForWorld({ served }: OpenWorld, changes: object = {}): Config {
  const settings = configFor(served.origin, changes);
  settings.venues.venue_a.base_url = served.origin + KALSHI;
  return settings;
}

/** Adopts one gauge over some markets. */
export function nameMarkets(store: Store, marketIds: readonly string[], baseAt: string, now = NOW): void {
  const definition = indexDefinition.parse({
    ticker: 'TEST',
    name: 'Test',
    visibility: 'public',
    methodology: 'gauge',
    quote_convention: 'probability',
    interval_minutes: 60,
    base_at: baseAt,
    weighting: { scheme: 'equal' },
    constituents: marketIds.map((market_id) => ({ market_id })),
  });
  store.write((writer) =>
    adoptDefinitions(writer, { indices: [definition], rates: [] }, now, { keepMissing: false }),
  );
}

/** One run of ingest; `only` switches the other venues off. */
export async function runIngest(
  store: Store,
  settings: Config,
  options: {
    now?: number;
    only?: keyof Config['venues'];
    effects?: Effects;
    signal?: AbortSignal;
    progress?: Progress;
  } = {},
): Promise<IngestReport> {
  const { now = NOW, only, effects = testEffects(), signal, progress = () => {} } = options;
  const used = structuredClone(settings);
  if (only) for (const [name, venue] of Object.entries(used.venues)) venue.enabled = name === only;
  const runId = store.write((writer) => insertRun(writer, 'ingest', now));
  return await ingest({ store, config: used, effects, runId, now, progress, ...(signal ? { signal } : {}) });
}

/** The report of one feed. */
export function feedOf(report: IngestReport, name: string): IngestReport['feeds'][number] {
  const feed = report.feeds.find((each) => each.feed === name);
  if (!feed) throw new Error(`no feed ${name}`);
  return feed;
}

/** The observations of a market in a series, wherever the store keeps them. */
export function pricesOf(
  store: Store,
  marketId: string,
  series: Series,
  knownAt = Number.POSITIVE_INFINITY,
): Observation[] {
  return pricesOfEach(store, [marketId], series, knownAt)[0] ?? [];
}

/** The same of several markets, in their order. */
export function pricesOfEach(
  store: Store,
  marketIds: readonly string[],
  series: Series,
  knownAt = Number.POSITIVE_INFINITY,
): Observation[][] {
  return store.read((reader) => {
    const keys = marketIds.map((id) => findMarket(reader, id)?.market_key ?? 0);
    const span = { series, from: 0, until: Number.MAX_SAFE_INTEGER, knownAt };
    const tail = loadTail(reader, keys);
    return keys.map((key) => observationsOf(selectPrices(reader, key, span, tail)));
  });
}

/** Everything a store knows of catalog and prices, without keys and counts that depend on the order of arrival. */
export function factsOf(store: Store): unknown {
  return store.read((reader) => ({
    events: reader.all(
      'SELECT event_id, title, slug, series, listed_at, closes_at FROM events ORDER BY event_id',
    ),
    markets: reader.all(
      `SELECT market_id, event_id, question, description, status, venue_status, price_token, listed_at, opens_at,
         closes_at, settled_at, payout, volume, open_interest FROM markets ORDER BY market_id`,
    ),
    tail: reader.all(
      `SELECT market_id, observed_at, series, bid, ask, last, price_tail.volume FROM price_tail
       JOIN markets USING (market_key) ORDER BY market_id, series, observed_at, price_tail.recorded_at`,
    ),
    chunks: reader.all(
      `SELECT market_id, series, first_at, last_at, points, observed, bid, ask, last FROM price_chunks
       JOIN markets USING (market_key) ORDER BY market_id, series, first_at`,
    ),
    latest: reader
      .all(
        'SELECT market_id, latest_quotes.* FROM latest_quotes JOIN markets USING (market_key) ORDER BY market_id',
      )
      .map((row) => ({ ...(row as object), market_key: 0 })),
    known: reader.all(
      "SELECT feed, name, value FROM checkpoints WHERE name <> 'full_crawl' ORDER BY feed, name",
    ),
  }));
}
