import type { Instant } from '../../../model/units.ts';
import { findMarketStatus } from '../../../store/catalog/catalog.ts';
import {
  type BookWanted,
  type CatalogWalk,
  newWalkState,
  reportUnseen,
  selectUnseen,
} from '../../catalog-walk.ts';
import {
  acceptCrawl,
  type Crawled,
  type CrawlPlan,
  changedSince,
  noteChangesRead,
  planCrawl,
} from '../../crawl.ts';
import { crawlLists } from '../../crawl-lists.ts';
import type { ListedMarket } from '../../listed-market.ts';
import { reconcile } from '../../reconcile.ts';
import type { VenueRun } from '../venue.ts';
import { crawlEvents } from './crawl-events.ts';
import { fetchMarkets, keepMarkets, lookUpMarkets } from './look-up.ts';
import { seriesAsked } from './series-asked.ts';

const FEED = 'venue_a/events';
const MARKETS_A_PAGE = 1000;

/**
 * Reads the open events with their markets, or between two full crawls the markets that changed otherwise than
 * by trading; then the named markets that are not among them.
 */
export async function collectCatalog(run: VenueRun): Promise<BookWanted[]> {
  const state = newWalkState(run);
  const { series, tags } = run.config.venues.venue_a;
  const plan = planCrawl(run, FEED, [series, tags]);
  const { since } = plan;
  await run.feed(FEED, async (feed) => {
    const walk = { run, feed, state };
    const walked =
      since === undefined ? await crawlEvents(walk, plan) : await readChanges(walk, { ...plan, since });
    const crawled = acceptCrawl(walk, plan, since === undefined ? walked : undefined);
    await feed.part(() => lookUpMarkets(walk, selectUnseen(run, state)));
    reportUnseen(feed, selectUnseen(run, state));
    if (since !== undefined && walked) noteChangesRead(walk, walked);
    if (crawled) await reconcile(walk, 'venue_a', plan, crawled, (left) => lookUpMarkets(walk, left()));
  });
  return [...state.bookWanted.values()];
}

/** @returns undefined when what changed was not read to the end */
function readChanges(walk: CatalogWalk, plan: CrawlPlan & { since: Instant }): Promise<Crawled | undefined> {
  const { run, feed } = walk;
  const parameters = {
    min_updated_ts: changedSince(plan.since),
    mve_filter: 'exclude',
    limit: MARKETS_A_PAGE,
  };
  return crawlLists(walk, plan, {
    lists: seriesAsked(run),
    fetchPage: (series_ticker, cursor) =>
      fetchMarkets(run, feed, '/markets', { ...parameters, series_ticker, cursor }),
    keep: (page) => keepMarkets(walk, { ...page, markets: carried(run, page.markets) }),
  });
}

// What is new is taken in while it trades, as in a full crawl.
function carried(run: VenueRun, markets: readonly ListedMarket[]): ListedMarket[] {
  return run.store.read((reader) =>
    markets.filter(
      ({ market: { market_id, status } }) =>
        status === 'active' || status === 'paused' || findMarketStatus(reader, market_id) !== undefined,
    ),
  );
}
