import type { Instant } from '../../../model/units.ts';
import { findMarketStatus } from '../../../store/catalog/catalog.ts';
import { changedSince } from '../../changed-since.ts';
import { believedCrawl, type Crawled, type CrawlPlan, noteChangesRead, planCrawl } from '../../crawl.ts';
import { crawlLists } from '../../crawl-lists.ts';
import type { Feed } from '../../feed.ts';
import type { BookWanted, NamedSeen } from '../../keep-catalog.ts';
import { fetchListed, keepListed, type Listing } from '../../known-pages.ts';
import type { ListedMarket } from '../../listed-market.ts';
import { namesToSee, selectUnseen, tellUnseen } from '../../named-seen.ts';
import { reconcile } from '../../reconcile.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { fetchMarkets, keepMarkets, lookUpMarkets, withWhatIsKnown } from './look-up.ts';
import { parseEventsPage } from './parse-catalog.ts';
import { seriesAsked } from './series-asked.ts';

const FEED = 'venue_a/events';
const EVENTS_A_PAGE = 200;
const MARKETS_A_PAGE = 1000;

/**
 * Reads the open events with their markets, or between two full crawls the markets that changed otherwise than
 * by trading; then the named markets that are not among them.
 */
export async function collectCatalog(run: VenueRun): Promise<BookWanted[]> {
  const names = namesToSee(run);
  const { series, tags } = run.config.venues.venue_a;
  const plan = planCrawl(run, FEED, [series, tags]);
  const { since } = plan;
  await run.feed(FEED, async (feed) => {
    const lookUp = (markets: readonly { native_id: string }[]) => lookUpMarkets(run, feed, markets, names);
    const walked =
      since === undefined
        ? await crawl(run, feed, plan, names)
        : await readChanges(run, feed, { ...plan, since }, names);
    const crawled = since === undefined ? believedCrawl(run, feed, plan, walked, names) : undefined;
    await feed.part(() => lookUp(selectUnseen(run, names)));
    tellUnseen(feed, selectUnseen(run, names));
    if (since !== undefined && walked) noteChangesRead(run, FEED, walked);
    if (crawled) await reconcile(run, feed, 'venue_a', plan, crawled, (left) => lookUp(left()));
  });
  return [...names.bookWanted.values()];
}

/** @returns undefined when the listing was not walked to its end */
function crawl(run: VenueRun, feed: Feed, plan: CrawlPlan, names: NamedSeen): Promise<Crawled | undefined> {
  const { base_url } = run.config.venues.venue_a;
  const listing: Listing = { run, feed, names, parse: parseEventsPage, complete: withWhatIsKnown };
  return crawlLists(run, feed, plan, names, {
    lists: seriesAsked(run),
    fetchPage: (series_ticker, cursor) =>
      fetchListed(listing, EVENTS_A_PAGE, (limit) => {
        const parameters = { limit, status: 'open', with_nested_markets: true };
        return { url: urlOf(base_url, '/events', { ...parameters, series_ticker, cursor }) };
      }),
    keep: (page) => keepListed(listing, page),
  });
}

/** @returns undefined when what changed was not read to the end */
function readChanges(
  run: VenueRun,
  feed: Feed,
  plan: CrawlPlan & { since: Instant },
  names: NamedSeen,
): Promise<Crawled | undefined> {
  const parameters = {
    min_updated_ts: changedSince(plan.since),
    mve_filter: 'exclude',
    limit: MARKETS_A_PAGE,
  };
  return crawlLists(run, feed, plan, names, {
    lists: seriesAsked(run),
    fetchPage: (series_ticker, cursor) =>
      fetchMarkets(run, feed, '/markets', { ...parameters, series_ticker, cursor }),
    keep: (page) => keepMarkets(run, feed, { ...page, markets: carried(run, page.markets) }, names),
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
