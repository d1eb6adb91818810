import { findEvent } from '../../../store/catalog/catalog.ts';
import { forgetPages } from '../../../store/catalog/page-notes.ts';
import {
  type BookWanted,
  type CatalogWalk,
  newWalkState,
  reportUnseen,
  selectUnseen,
} from '../../catalog/catalog-walk.ts';
import { collectCatalog } from '../../catalog/collect-catalog.ts';
import { acceptCrawl, type CrawlPlan } from '../../catalog/crawl.ts';
import { crawlLists } from '../../catalog/crawl-lists.ts';
import { keepPage } from '../../catalog/keep-catalog.ts';
import { fetchListed, keepListed, type Listing } from '../../catalog/known-pages.ts';
import { lookUpInParts } from '../../catalog/look-up-in-parts.ts';
import { withKnownYes } from '../../catalog/yes-side.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { CONDITION_ID } from './condition-ids.ts';
import { crawlEvents } from './crawl-events.ts';
import { parseMarketsPage } from './parse-gamma.ts';
import { parseListingPage } from './parse-listing.ts';
import { settleResolved } from './settle-resolved.ts';
import { withTakerVolumes } from './taker-volumes.ts';

const IDS_A_REQUEST = 100;

/** The CLOB's listing is read in full in each run. */
const WHOLE_LISTING: CrawlPlan = { since: undefined, last: undefined, scope: 'clob' };

/** Reads the open events with their markets, then the named markets that are not among them. */
export function collectEvents(run: VenueRun): Promise<BookWanted[]> {
  return collectCatalog(run, {
    feed: 'venue_b_global/events',
    family: 'venue_b_global',
    scope: run.config.venues.venue_b_global.tags,
    crawl: crawlEvents,
    lookUp,
  });
}

/** Reads the CLOB's own listing, open and closed markets alike. */
export async function collectListing(run: VenueRun): Promise<BookWanted[]> {
  const state = newWalkState(run);
  await run.feed('venue_b_global/markets', async (feed) => {
    const parse = (json: unknown) => withKnownYes(run, (findYes) => parseListingPage(json, findYes));
    const listing: Listing = { run, feed, state, parse };
    const walked = await crawlLists(listing, WHOLE_LISTING, {
      lists: [undefined],
      fetchPage: (_, next_cursor) => {
        const { clob_url } = run.config.venues.venue_b_global;
        // The venue sets the page size, so the number of rows does not matter.
        return fetchListed(listing, 1, () => ({ url: urlOf(clob_url, '/markets', { next_cursor }) }));
      },
      keep: (page) => keepListed(listing, page),
    });
    const crawled = acceptCrawl(listing, WHOLE_LISTING, walked);
    if (!crawled) return;
    run.store.write((writer) => forgetPages(writer, feed.name, crawled.began));
    feed.report.catalog_whole = true;
    reportUnseen(feed, selectUnseen(run, state));
  });
  return [...state.bookWanted.values()];
}

/**
 * Looks up markets by their ids. The venue returns a closed market only if closed ones are asked for, and an open one
 * only if not.
 *
 * @param left those that were not found yet
 */
async function lookUp(walk: CatalogWalk, left: () => readonly { native_id: string }[]): Promise<void> {
  const { gamma_url } = walk.run.config.venues.venue_b_global;
  for (const closed of [true, false]) {
    // The venue may refuse a request for a hundred ids because of one malformed id.
    const ids = left().flatMap(({ native_id }) => (CONDITION_ID.test(native_id) ? native_id : []));
    await lookUpInParts(walk.feed, ids, IDS_A_REQUEST, {
      async fetch(condition_ids) {
        const parameters = { limit: IDS_A_REQUEST, closed, condition_ids };
        const answer = await walk.feed.fetch({ url: urlOf(gamma_url, '/markets/keyset', parameters) });
        return {
          ...withKnownYes(walk.run, (findYes) => parseMarketsPage(answer.json, findYes)),
          answer,
        };
      },
      async keep(page) {
        const markets = await settleResolved(walk, await withTakerVolumes(walk, page.markets));
        // A known event is left as it is: its own row says more than its markets do.
        const events = walk.run.store.read((reader) =>
          page.events.filter((each) => !findEvent(reader, each.event_id)),
        );
        keepPage(walk, { ...page, events, markets });
      },
    });
  }
}
