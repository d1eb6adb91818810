import type { Family } from '../../model/platform.ts';
import type { VenueRun } from '../venues/venue.ts';
import {
  type BookWanted,
  type CatalogWalk,
  type LookUp,
  newWalkState,
  reportUnseen,
  selectUnseen,
} from './catalog-walk.ts';
import { closeUnlisted } from './close-unlisted.ts';
import { acceptCrawl, type Crawled, type CrawlPlan, noteChangesRead, noteCrawl, planCrawl } from './crawl.ts';

/** How a venue is asked for its catalog. */
export interface CatalogSource {
  feed: string;
  family: Family;
  /** Settings that narrow the listing; when they change, a full crawl is due. */
  scope: object;
  /** Reads the listing, or its changes since an instant; undefined if it was not read to its end. */
  crawl(walk: CatalogWalk, plan: CrawlPlan): Promise<Crawled | undefined>;
  lookUp: LookUp;
  /** Looks up the markets that definitions name, if the venue tells more about them in answers to other requests. */
  lookUpNamed?: LookUp;
}

/**
 * Reads a venue's catalog: its listing or the changes of it, then the named markets that these did not show, and after
 * a full crawl the other markets that it did not meet.
 *
 * @returns the named markets whose book is still to be fetched
 */
export async function collectCatalog(run: VenueRun, source: CatalogSource): Promise<BookWanted[]> {
  const { family, lookUp, lookUpNamed = lookUp } = source;
  const state = newWalkState(run);
  const plan = planCrawl(run, source.feed, source.scope);
  const isFull = plan.since === undefined;
  await run.feed(source.feed, async (feed) => {
    const walk = { run, feed, state };
    const unseen = () => selectUnseen(run, state);
    const walked = await source.crawl(walk, plan);
    const crawled = acceptCrawl(walk, plan, isFull ? walked : undefined);
    await feed.part(() => lookUpNamed(walk, unseen));
    reportUnseen(feed, unseen());
    if (!isFull && walked) noteChangesRead(walk, walked);
    if (!crawled) return;
    await feed.part(() => closeUnlisted(walk, family, plan, crawled, lookUp));
    noteCrawl(walk, plan, crawled);
  });
  return [...state.bookWanted.values()];
}
