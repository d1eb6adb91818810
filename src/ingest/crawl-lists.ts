import { z } from 'zod';
import { given } from '../model/given.ts';
import { DAY_MS } from '../model/time.ts';
import { findNote, removeNote, setNote } from '../store/notes.ts';
import type { CatalogWalk } from './catalog-walk.ts';
import type { Crawled, CrawlPlan } from './crawl.ts';
import type { Feed } from './feed.ts';
import type { CatalogPage } from './listed-market.ts';
import { type ListingPage, pageDigest, type WalkPlace, walkPages } from './page-walk.ts';
import type { VenueRun } from './venues/venue.ts';
import { isRefused } from './wire/venue-trouble.ts';

/** Where a crawl was left that did not fit into the time of its run. */
const crawlPlace = z.object({
  scope: z.string(),
  /** From when on it asks for changes; absent of a full crawl. */
  since: z.number().optional(),
  /** The run that it began in. */
  began: z.number(),
  /** Rows before the page that it is gone on from. */
  rows: z.number(),
  /** Rows that stand in those. */
  nested: z.number(),
  /** Why pages of it were not believed. */
  doubt: z.string().optional(),
  /** The list, and where in it; absent where the venue has one alone. */
  list: z.string().optional(),
  cursor: z.string().optional(),
  pages: z.array(z.string()),
});
type CrawlPlace = z.output<typeof crawlPlace>;

/** Note of that place. */
const PLACE = 'crawl_place';
/** A crawl that began longer ago is begun anew: what it would come to is of no one day. */
const PLACE_HOLDS_MS = DAY_MS;

/** The venue no longer knows the place that a crawl was left at. */
class PlaceLost extends Error {}

/** What a crawl reads, one list after the other. */
export interface Lists<Page> {
  /** What tells them apart; undefined alone: the venue has one. */
  lists: readonly (string | undefined)[];
  fetchPage(list: string | undefined, cursor: string | undefined): Promise<Page>;
  keep(page: Page): void | Promise<void>;
}

/**
 * Reads all lists of a crawl, or of what changed, to their ends. What does not fit into the run's time is left for the
 * next run, which goes on from the last page that this one read, or begins anew where the venue knows that page no more. A
 * list that the venue fails at keeps none of the others waiting.
 *
 * @returns undefined when they were not read to their ends
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
  const beginning = {
    scope,
    since,
    began: walk.run.now,
    rows: 0,
    nested: 0,
    pages: [],
    ...(list && { list }),
  };
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
    const from: WalkPlace = list === first ? { pages, ...given({ cursor: left }) } : { pages: [] };
    const leaveAt = (reached: WalkPlace) => {
      if (run.listingTimeUp.aborted || run.signal.aborted)
        notePlace(run, feed, { ...reached, scope, since, began, ...before, list, doubt: state.doubt });
    };
    const walk = () =>
      walkPages(
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
        // A crawl that has missed something comes to nothing, however far it goes.
        { timeUp: run.listingTimeUp, from, ...(whole ? { leaveAt } : {}) },
      );
    // Undefined where the venue failed at it.
    const ended = await feed.part(async () => ({ early: await walk() }));
    if (ended?.early !== undefined) feed.leaveIncomplete(ended.early);
    whole &&= ended !== undefined && ended.early === undefined;
  }
  return whole ? { rows, nested, began } : undefined;
}

/**
 * The last page of an earlier run once more: rows may have moved over its border since, and a cursor that has expired is
 * told from the end of the list by it. Venues refuse one, or answer it with nothing, or with the first page.
 *
 * @throws PlaceLost when it is none of the rest of the list
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

// Each place is gone on from once: a run that fails there leaves none, and the next one begins anew.
function takePlace(
  { run, feed }: CatalogWalk,
  { scope, since }: CrawlPlan,
  lists: Lists<unknown>['lists'],
): CrawlPlace | undefined {
  return run.store.write((writer) => {
    const place = findNote(writer, feed.report.feed, PLACE, crawlPlace);
    removeNote(writer, feed.report.feed, PLACE);
    if (place?.scope !== scope || place.since !== since) return undefined;
    if (run.now - place.began > PLACE_HOLDS_MS) return undefined;
    return lists.includes(place.list) ? place : undefined;
  });
}

function notePlace(run: VenueRun, feed: Feed, place: CrawlPlace): void {
  run.store.write((writer) => setNote(writer, feed.report.feed, PLACE, place));
}
