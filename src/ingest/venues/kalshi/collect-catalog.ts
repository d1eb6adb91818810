import type { Instant } from '../../../model/units.ts';
import { hasMarket } from '../../../store/catalog/catalog.ts';
import type { BookWanted, CatalogWalk } from '../../catalog/catalog-walk.ts';
import { collectCatalog } from '../../catalog/collect-catalog.ts';
import { type Crawled, type CrawlPlan, changedSince } from '../../catalog/crawl.ts';
import { crawlLists } from '../../catalog/crawl-lists.ts';
import type { ListedMarket } from '../../catalog/listed-market.ts';
import type { VenueRun } from '../venue.ts';
import { crawlEvents } from './crawl-events.ts';
import { fetchMarkets, keepMarkets, lookUpMarkets } from './look-up.ts';
import { seriesAsked } from './series-asked.ts';

const MARKETS_A_PAGE = 1000;

/**
 * Reads the open events with their markets or, between two full crawls, the markets that changed otherwise than by
 * trading; then the named markets that are not among them.
 */
export function collectEvents(run: VenueRun): Promise<BookWanted[]> {
  const { series, tags } = run.config.venues.venue_a;
  return collectCatalog(run, {
    feed: 'venue_a/events',
    family: 'venue_a',
    scope: [series, tags],
    crawl(walk, plan) {
      const { since } = plan;
      return since === undefined ? crawlEvents(walk, plan) : readChanges(walk, { ...plan, since });
    },
    lookUp: (walk, left) => lookUpMarkets(walk, left()),
  });
}

/** @returns undefined when the changes were not all read and stored, so that they are read again */
async function readChanges(
  walk: CatalogWalk,
  plan: CrawlPlan & { since: Instant },
): Promise<Crawled | undefined> {
  const { run, feed } = walk;
  let whole = true;
  const parameters = {
    min_updated_ts: changedSince(plan.since),
    mve_filter: 'exclude',
    limit: MARKETS_A_PAGE,
  };
  const walked = await crawlLists(walk, plan, {
    lists: seriesAsked(run),
    fetchPage: (series_ticker, cursor) =>
      fetchMarkets(run, feed, '/markets', { ...parameters, series_ticker, cursor }),
    async keep(page) {
      const kept = await keepMarkets(walk, { ...page, markets: carried(run, page.markets) });
      whole &&= kept;
    },
  });
  return whole ? walked : undefined;
}

// New markets are added only while they trade, as in a full crawl.
function carried(run: VenueRun, markets: readonly ListedMarket[]): ListedMarket[] {
  return run.store.read((reader) =>
    markets.filter(
      ({ market: { market_id, status } }) =>
        status === 'active' || status === 'paused' || hasMarket(reader, market_id),
    ),
  );
}
