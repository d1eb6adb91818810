import { catalogId } from '../../../model/platform.ts';
import { listMarketsOfEvent } from '../../../store/catalog/market-lists.ts';
import type { CatalogWalk } from '../../catalog/catalog-walk.ts';
import type { Crawled, CrawlPlan } from '../../catalog/crawl.ts';
import { crawlLists } from '../../catalog/crawl-lists.ts';
import { type FetchedPage, fetchListed, keepListed, type Listing } from '../../catalog/known-pages.ts';
import { urlOf } from '../../wire/url.ts';
import { hasFailed, isTooLong } from '../../wire/venue-trouble.ts';
import { keepEachEvent } from './look-up.ts';
import { parseEventsPage } from './parse-catalog.ts';
import { seriesAsked } from './series-asked.ts';
import { withWhatIsKnown } from './what-is-known.ts';

const EVENTS_A_PAGE = 200;
/** The size of the retried page after a failure, so that the events that the venue fails at are among these. */
const EVENTS_ALONE = EVENTS_A_PAGE / 4;

/** A page of events, or one without their markets if the venue fails at it with them. */
type EventsPage = FetchedPage & { alone?: true };

/**
 * Reads the open events with their markets. If the venue fails at a page, its events are fetched one by one. An event
 * that fails then is reported and left out, and the crawl goes on behind it.
 *
 * @returns undefined when the listing was not walked to its end
 */
export function crawlEvents(walk: CatalogWalk, plan: CrawlPlan): Promise<Crawled | undefined> {
  const { run, feed } = walk;
  const listing: Listing = { ...walk, parse: parseEventsPage, complete: withWhatIsKnown };
  const { base_url } = run.config.venues.venue_a;
  return crawlLists<EventsPage>(walk, plan, {
    lists: seriesAsked(run),
    async fetchPage(series_ticker, cursor) {
      const requestOf = (limit: number, with_nested_markets: boolean) => {
        const parameters = { limit, status: 'open', with_nested_markets, series_ticker, cursor };
        return { url: urlOf(base_url, '/events', parameters) };
      };
      try {
        return await fetchListed(listing, EVENTS_A_PAGE, (limit) => requestOf(limit, true));
      } catch (thrown) {
        if (!hasFailed(thrown) && !isTooLong(thrown)) throw thrown;
        const answer = await feed.fetch(requestOf(EVENTS_ALONE, false)).catch(() => {
          throw thrown;
        });
        return { ...parseEventsPage(answer.json), answer, alone: true };
      }
    },
    async keep(page) {
      if (!page.alone) return keepListed(listing, page);
      feed.keep(page.answer, { read: 0, rejections: [] });
      const { failed } = await keepEachEvent(walk, page.ids);
      for (const ticker of failed) noteMarketsUnreadable(walk, ticker);
    },
  });
}

/** Marks the markets of an event that is listed but cannot be read as unreadable, so that they are not closed. */
function noteMarketsUnreadable({ run, feed }: CatalogWalk, ticker: string): void {
  const markets = run.store.read((reader) => listMarketsOfEvent(reader, catalogId('venue_a', ticker)));
  for (const { native_id } of markets) feed.noteUnreadable(native_id);
}
