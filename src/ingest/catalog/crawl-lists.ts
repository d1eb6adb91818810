import { z } from 'zod';
import { DAY_MS } from '../../model/time.ts';
import { findNote, removeNote, setNote } from '../../store/notes.ts';
import type { Feed } from '../feed.ts';
import { type ListingPage, pageDigest, type WalkPlace } from '../page-walk.ts';
import type { VenueRun } from '../venues/venue.ts';
import { isRefused } from '../wire/venue-trouble.ts';
import type { CatalogWalk } from './catalog-walk.ts';
import type { Crawled, CrawlPlan } from './crawl.ts';
import type { CatalogPage } from './listed-market.ts';

/** Checkpoint of a crawl that did not finish in the time of its run. */
const crawlPlace = z.object({
  scope: z.string(),
  /** Instant since which changes are read; absent for a full crawl. */
  since: z.number().optional(),
  /** Instant of the run that it began in. */
  began: z.number(),
  /** Rows before the page that it resumes from. */
  rows: z.number(),
  /** Rows nested in those. */
  nested: z.number(),
  /** Why a page of it was not believed. */
  doubt: z.string().optional(),
  /** The list that it was left in; absent if the venue has only one. */
  list: z.string().optional(),
  cursor: z.string().optional(),
  pages: z.array(z.string()),
});
type CrawlPlace = z.output<typeof crawlPlace>;

const PLACE = 'crawl_place';
/** A crawl that began longer ago starts over: its result would mix different days. */
const PLACE_HOLDS_MS = DAY_MS;

/** The venue no longer knows the cursor of a checkpoint. */
class PlaceLost extends Error {}

export interface Lists<Page> {
  /** Their names; a single undefined if the venue has only one list. */
  lists: readonly (string | undefined)[];
  fetchPage(list: string | undefined, cursor: string | undefined): Promise<Page>;
  keep(page: Page): void | Promise<void>;
}

/**
 * Reads all lists of a full crawl, or of changes, to their ends. If time runs out, the next run resumes from the last
 * page that this one read, or starts over if the venue no longer knows that page. A list that the venue fails at does
 * not stop the others.
 *
 * @returns undefined when not all were read to their ends
 */
export async function crawlLists<Page extends CatalogPage>(
  walk: CatalogWalk,
  plan: CrawlPlan,
  listing: Lists<Page>,
): Promise<Crawled | undefined> {
  const place = takePlace(walk, plan, listing.lists);
  if (place)
    try {
      return await crawlFrom(place, walk, listing);
    } catch (thrown) {
      if (!(thrown instanceof PlaceLost)) throw thrown;
    }
  const [list] = listing.lists;
  const { scope, since } = plan;
  const beginning = { scope, since, list, began: walk.run.now, rows: 0, nested: 0, pages: [] };
  return await crawlFrom(beginning, walk, listing);
}

async function crawlFrom<Page extends CatalogPage>(
  place: CrawlPlace,
  { run, feed, state }: CatalogWalk,
  { lists, fetchPage, keep }: Lists<Page>,
): Promise<Crawled | undefined> {
  const { scope, since, began, list: first, cursor: left, pages } = place;
  let { rows, nested } = place;
  let whole = true;
  if (place.doubt !== undefined) state.doubt = place.doubt;
  for (const list of lists.slice(lists.indexOf(first))) {
    let before = { rows, nested };
    const from: WalkPlace = list === first ? { cursor: left, pages } : { pages: [] };
    const leaveAt = (reached: WalkPlace) => {
      if (run.listingTimeUp.aborted || run.signal.aborted)
        notePlace(run, feed, { ...reached, scope, since, began, ...before, list, doubt: state.doubt });
    };
    const walk = () =>
      feed.walk(
        (cursor) => {
          const fetch = () => fetchPage(list, cursor);
          return cursor !== undefined && cursor === from.cursor ? fetchAgain(fetch, from) : fetch();
        },
        async (page) => {
          await keep(page);
          before = { rows, nested };
          rows += page.ids.length;
          nested += page.read - page.ids.length;
          feed.progress(rows);
        },
        // A crawl that has missed something cannot complete any more, so it leaves no checkpoint.
        { timeUp: run.listingTimeUp, from, ...(whole ? { leaveAt } : {}) },
      );
    const ended = await feed.part(walk);
    whole &&= ended === true;
  }
  return whole ? { rows, nested, began } : undefined;
}

/**
 * Fetches the last page of an earlier run again: rows may have moved across its border since, and it tells an expired
 * cursor from the end of the list. Venues refuse an expired cursor, or answer it with nothing or with the first page.
 *
 * @throws PlaceLost when the cursor has expired
 */
async function fetchAgain<Page extends ListingPage>(
  fetch: () => Promise<Page>,
  { pages }: WalkPlace,
): Promise<Page> {
  let page: Page;
  try {
    page = await fetch();
  } catch (thrown) {
    throw isRefused(thrown) ? new PlaceLost() : thrown;
  }
  if (page.ids.length === 0 || pages.includes(pageDigest(page))) throw new PlaceLost();
  return page;
}

// A checkpoint is used once: a run that fails there leaves none, and the next one starts over.
function takePlace(
  { run, feed }: CatalogWalk,
  { scope, since }: CrawlPlan,
  lists: Lists<unknown>['lists'],
): CrawlPlace | undefined {
  return run.store.write((writer) => {
    const place = findNote(writer, feed.name, PLACE, crawlPlace);
    removeNote(writer, feed.name, PLACE);
    if (place?.scope !== scope || place.since !== since) return undefined;
    if (run.now - place.began > PLACE_HOLDS_MS) return undefined;
    return lists.includes(place.list) ? place : undefined;
  });
}

function notePlace(run: VenueRun, feed: Feed, place: CrawlPlace): void {
  run.store.write((writer) => setNote(writer, feed.name, PLACE, place));
}
