/**
 * Ingest copies what the venues list and quote into the store: catalog, price history and order books; also the
 * filings of regulators and the articles of news feeds. It promises that each raw answer is kept for a while, that
 * every row is either stored or reported with the reason why not, that a page is written whole or not at all, and
 * that one venue's failure stops no other. Of indices it knows only the markets that their definitions name. It
 * deletes nothing that it has read: a market missing from a list may still exist.
 */
import type { Config } from '../model/config.ts';
import type { Effects, Progress } from '../model/effects.ts';
import { ForemarkError, messageOf } from '../model/errors.ts';
import { DAY_MS, formatInstant, toMilliseconds } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { dropListIndexes } from '../store/catalog/list-indexes.ts';
import { noteTerms } from '../store/catalog/market-terms.ts';
import { forgetPagesQuotedBefore } from '../store/catalog/page-notes.ts';
import { isSearchReady, joinSearch, rebuildSearch } from '../store/catalog/search-index.ts';
import { forgetFeeds } from '../store/feeds.ts';
import { findLateHistory, forgetLateHistory } from '../store/late-history.ts';
import { forgetAnswers } from '../store/payloads.ts';
import { compactTail } from '../store/prices/price-compaction.ts';
import { refuseEarlier } from '../store/prints/calculations.ts';
import { findCatalogState, setCatalogState } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { QUOTE_STALE_MS } from './catalog/keep-catalog.ts';
import type { Collector } from './collector.ts';
import { embeddings, takeFollowed } from './embeddings/embeddings.ts';
import { Feed, type FeedReport } from './feed.ts';
import { type NamedMarket, selectNamedMarkets } from './named-markets.ts';
import { news } from './news/news.ts';
import { REGISTRIES } from './registries/registries.ts';
import type { Venue } from './venues/venue.ts';
import { VENUES } from './venues/venues.ts';
import type { Requester } from './wire/request.ts';
import { createRequester } from './wire/requester.ts';
import { isVenueTrouble } from './wire/venue-trouble.ts';

/** Share of a venue's time that listings may use, so that a slow one leaves some for markets that definitions name. */
const LISTING_SHARE = 0.75;

export interface IngestOptions {
  store: Store;
  config: Config;
  effects: Effects;
  runId: number;
  /** The run's instant, at which quotes count as observed and everything is recorded. */
  now: Instant;
  progress: Progress;
  /** Ends the run early; what was stored until then is kept. */
  signal?: AbortSignal;
}

export interface IngestReport {
  /** Feeds in the order in which they ended, by venue. */
  feeds: FeedReport[];
  /** True when this run's catalog was the first that can be served. */
  first_fill: boolean;
  /** Observations moved from the tail into chunks. */
  compacted: number;
  /** Raw answers that were deleted because of their age. */
  answers_forgotten: number;
  /** The earliest price that came after its hour was calculated; null if there is none, or a backfill ran since. */
  late_from: string | null;
}

/** How long late prices are reported. */
const LATE_REPORTED_MS = 7 * DAY_MS;

/** Large: a crawl looks up each market that it meets. */
const CACHE_MIB = 64;

/**
 * Collects from every enabled venue and registry and the news feeds, concurrently, each within its deadline.
 *
 * @throws ForemarkError store_unusable when the store cannot be written; it then holds whole pages only;
 *   invalid_configuration when the clock is behind the last run
 */
export async function ingest(options: IngestOptions): Promise<IngestReport> {
  const { store, config, now } = options;
  store.read((reader) => refuseEarlier(reader, now));
  store.cache(CACHE_MIB);
  // The store is from before there was search, or its rebuild was interrupted.
  if (!store.read(isSearchReady)) rebuildSearch(store, (done) => options.progress('search', done));
  store.write(dropListIndexes);
  const followed = store.write(takeFollowed);
  const venues = VENUES.filter((venue) => venue.enabled(config));
  const named = store.read(selectNamedMarkets);
  const feeds = await collectAll(collectorsOf(config, venues, named), options);
  // Embeddings come last, once all texts are stored.
  if (config.relations.embeddings) feeds.push(...(await collectAll([embeddings(followed)], options)));
  const answers_forgotten = forgetAnswers(store, now - config.ingest.keep_answers_days * DAY_MS);
  const filled = feeds.some((each) => each.catalog_whole);
  return store.write((writer) => {
    forgetFeeds(writer, now - DAY_MS);
    forgetPagesQuotedBefore(writer, now - QUOTE_STALE_MS);
    noteTerms(
      writer,
      named.map((each) => each.market_id),
      now,
    );
    const first_fill = filled && findCatalogState(writer) === 'rebuilding';
    if (first_fill) setCatalogState(writer, 'serving', now);
    const compacted = compactTail(writer);
    if (first_fill || compacted > 0) joinSearch(writer);
    forgetLateHistory(writer, now - LATE_REPORTED_MS);
    const late = findLateHistory(writer);
    const late_from = late === undefined ? null : formatInstant(late);
    return { feeds, first_fill, compacted, answers_forgotten, late_from };
  });
}

function collectorsOf(config: Config, venues: readonly Venue[], named: readonly NamedMarket[]): Collector[] {
  return [
    ...venues.map(
      (venue): Collector => ({
        repeatable: true,
        requestsPerSecond: venue.requestsPerSecond,
        collect: (run) =>
          venue.collect({ ...run, named: named.filter((each) => isOf(venue, each)), exchanged: new Set() }),
      }),
    ),
    ...REGISTRIES.filter((registry) => registry.enabled(config)),
    ...(config.news.feeds.length > 0 ? [news] : []),
  ];
}

function isOf({ family, owns }: Venue, market: NamedMarket): boolean {
  return market.family === family && (owns === undefined || owns(market.native_id));
}

/** Collects concurrently. If the store cannot be written, every collector stops, not only the one that noticed. */
async function collectAll(collectors: readonly Collector[], options: IngestOptions): Promise<FeedReport[]> {
  const broke = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, broke.signal]) : broke.signal;
  const ended = await Promise.allSettled(
    collectors.map(async (collector) => {
      try {
        return await collect(collector, { ...options, signal });
      } catch (thrown) {
        broke.abort();
        throw thrown;
      }
    }),
  );
  const broken = ended.find((each) => each.status === 'rejected');
  if (broken) throw broken.reason;
  return ended.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
}

async function collect(
  collector: Collector,
  options: IngestOptions & { signal: AbortSignal },
): Promise<FeedReport[]> {
  const { config, effects, now } = options;
  const startedAt = effects.now();
  const store = collector.repeatable ? options.store.later() : options.store;
  const { deadline_seconds } = config.ingest;
  const deadline = AbortSignal.timeout(toMilliseconds(deadline_seconds));
  const listingTimeUp = AbortSignal.timeout(toMilliseconds(deadline_seconds * LISTING_SHARE));
  const overslept = new AbortController();
  const signal = AbortSignal.any([options.signal, deadline, overslept.signal]);
  const limits = { ...config.ingest, requests_per_second: collector.requestsPerSecond(config) };
  const ask = createRequester(effects, limits, signal);
  const request: Requester = (...asked) =>
    ask(...asked).finally(() => {
      // Timers stand still while a machine is suspended. What is answered after that would count as seen before it.
      if (effects.now() - startedAt <= toMilliseconds(deadline_seconds)) return;
      overslept.abort();
      overslept.signal.throwIfAborted();
    });
  const reports: FeedReport[] = [];
  const why = (thrown: unknown): string => {
    if (options.signal.aborted) return 'stopped before its end';
    if (deadline.aborted) return `gave up after ${deadline_seconds} s`;
    if (overslept.signal.aborted)
      return `gave up, since the clock went on by more than ${deadline_seconds} s while it was asked`;
    return isVenueTrouble(thrown) ? thrown.message : `its answer could not be handled: ${messageOf(thrown)}`;
  };
  await collector.collect({
    config,
    store,
    now,
    signal,
    listingTimeUp,
    feed: async (name, work) => {
      const feed = new Feed({ ...options, store }, request, name);
      try {
        await work(feed);
      } catch (thrown) {
        if (thrown instanceof ForemarkError && !isVenueTrouble(thrown)) throw thrown;
        feed.fail(why(thrown));
      }
      feed.close();
      reports.push(feed.report);
    },
  });
  return reports;
}
