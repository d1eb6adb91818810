import { DAY_MS } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import type { CatalogWalk } from '../../catalog/catalog-walk.ts';
import type { Crawled, CrawlPlan } from '../../catalog/crawl.ts';
import { crawlLists } from '../../catalog/crawl-lists.ts';
import { type FetchedPage, fetchListed, keepListed, type Listing } from '../../catalog/known-pages.ts';
import { withKnownYes } from '../../catalog/yes-side.ts';
import { urlOf } from '../../wire/url.ts';
import { parseEventsPage } from './parse-gamma.ts';
import { settleResolved } from './settle-resolved.ts';
import { withTakerVolumes } from './taker-volumes.ts';

const EVENTS_A_PAGE = 100;
/** Another order of the same events, from either end. */
const FROM_EITHER_END = [
  { order: 'endDate', ascending: true },
  { order: 'endDate', ascending: false },
];

/**
 * Reads the open events with their markets, or those that began since an instant. No cursor leads past a page that the
 * venue fails at; the events behind it are then read in another order from both ends, as far as the venue answers.
 *
 * @returns undefined when the listing was walked to its end in no order
 */
export async function crawlEvents(walk: CatalogWalk, plan: CrawlPlan): Promise<Crawled | undefined> {
  const { run, feed } = walk;
  const { gamma_url, tags } = run.config.venues.venue_b_global;
  const parse = (json: unknown) => withKnownYes(run, (findYes) => parseEventsPage(json, findYes));
  const listing: Listing = { ...walk, parse };
  const filter = plan.since === undefined ? {} : { start_date_min: newSince(plan.since) };
  const fetchPage = async (tag_slug?: string, after_cursor?: string, order: object = {}) => {
    const page = await fetchListed(listing, EVENTS_A_PAGE, (limit) => {
      const parameters = { limit, closed: false, tag_slug, ...filter, ...order, after_cursor };
      return { url: urlOf(gamma_url, '/events/keyset', parameters) };
    });
    return { ...page, markets: await settleResolved(walk, await withTakerVolumes(walk, page.markets)) };
  };
  const keep = (page: FetchedPage) => keepListed(listing, page);
  const lists = tags.length > 0 ? tags : [undefined];
  const walked = await crawlLists(walk, plan, { lists, fetchPage, keep });
  // If the venue answered nothing at all, another order is pointless.
  if (walked || feed.report.rows_read === 0) return walked;
  const around: Crawled = { rows: 0, nested: 0, began: run.now };
  let whole = true;
  for (const list of lists) {
    const read = await readAround(walk, (order, cursor) => fetchPage(list, cursor, order), keep);
    around.rows += read?.rows ?? 0;
    around.nested += read?.nested ?? 0;
    whole &&= read !== undefined;
  }
  return whole ? around : undefined;
}

/**
 * Reads a list in another order from both ends.
 *
 * @returns the rows of the order that ended well, with which the list is whole; undefined if neither did
 */
async function readAround(
  { run, feed }: CatalogWalk,
  fetchPage: (order: object, cursor: string | undefined) => Promise<FetchedPage>,
  keep: (page: FetchedPage) => void,
): Promise<{ rows: number; nested: number } | undefined> {
  for (const order of FROM_EITHER_END) {
    const read = { rows: 0, nested: 0 };
    const keepCounted = (page: FetchedPage) => {
      keep(page);
      read.rows += page.ids.length;
      read.nested += page.read - page.ids.length;
    };
    const fetchNext = (cursor: string | undefined) => fetchPage(order, cursor);
    const options = { timeUp: run.listingTimeUp };
    if (await feed.part(() => feed.walk(fetchNext, keepCounted, options))) return read;
  }
  return undefined;
}

// An event's start is when it is listed; a day of overlap, since listings have come late.
function newSince(at: Instant): string {
  return new Date(at - DAY_MS).toISOString();
}
