import type { Feed } from '../../feed.ts';
import { type BookWanted, keepCatalog, type NamedSeen } from '../../keep-catalog.ts';
import type { CatalogPage } from '../../listed-market.ts';
import { namesToSee, notListed, selectUnseen } from '../../named-seen.ts';
import { walkPages } from '../../page-walk.ts';
import type { Answer } from '../../request.ts';
import { chunksOf, urlOf } from '../../url.ts';
import type { VenueRun } from '../venue.ts';
import { parseEventsPage, parseMarketsPage } from './parse-gamma.ts';
import { parseListingPage } from './parse-listing.ts';

const EVENTS_A_PAGE = 100;
const IDS_A_REQUEST = 100;

type Answered = CatalogPage & { answer: Answer };

/** Reads the open events with their markets, then the named markets that are not among them. */
export async function collectEvents(run: VenueRun): Promise<BookWanted[]> {
  const names = namesToSee(run.named);
  const { gamma_url, tags } = run.config.venues.venue_b_global;
  await run.feed('venue_b_global/events', async (feed) => {
    let events = 0;
    for (const tag_slug of tags.length > 0 ? tags : [undefined])
      events += await walk(run, feed, names, async (after_cursor) => {
        const parameters = { limit: EVENTS_A_PAGE, closed: false, tag_slug, after_cursor };
        const answer = await feed.fetch({ url: urlOf(gamma_url, '/events/keyset', parameters) });
        return { ...parseEventsPage(answer.json), answer };
      });
    if (events === 0) feed.leaveIncomplete('the venue listed no open event');
    await collectUnseen(run, feed, names);
  });
  return [...names.bookWanted.values()];
}

/** Reads the CLOB's own listing, open and closed markets alike. */
export async function collectListing(run: VenueRun): Promise<BookWanted[]> {
  const names = namesToSee(run.named);
  await run.feed('venue_b_global/markets', async (feed) => {
    const markets = await walk(run, feed, names, async (next_cursor) => {
      const { clob_url } = run.config.venues.venue_b_global;
      const answer = await feed.fetch({ url: urlOf(clob_url, '/markets', { next_cursor }) });
      return { ...parseListingPage(answer.json), answer };
    });
    if (markets === 0) feed.leaveIncomplete('the venue listed no market');
    tellUnseen(run, feed, names);
  });
  return [...names.bookWanted.values()];
}

/** @returns rows of the listing, without those nested in them */
async function walk(
  run: VenueRun,
  feed: Feed,
  names: NamedSeen,
  fetchPage: (cursor: string | undefined) => Promise<Answered>,
): Promise<number> {
  let rows = 0;
  const stopped = await walkPages(fetchPage, (page) => {
    keepPage(run, feed, page, names);
    rows += page.ids.length;
    feed.progress(rows);
  });
  if (stopped !== undefined) feed.leaveIncomplete(stopped);
  return rows;
}

// A resolved market is answered only when asked for as closed, and an open one only when not.
async function collectUnseen(run: VenueRun, feed: Feed, names: NamedSeen): Promise<void> {
  const { gamma_url } = run.config.venues.venue_b_global;
  for (const closed of [true, false]) {
    const unseen = run.store.read((reader) => selectUnseen(reader, run.named, names, run.now));
    for (const chunk of chunksOf(unseen, IDS_A_REQUEST)) {
      const condition_ids = chunk.map((each) => each.native_id);
      const parameters = { limit: IDS_A_REQUEST, closed, condition_ids };
      const answer = await feed.fetch({ url: urlOf(gamma_url, '/markets/keyset', parameters) });
      keepPage(run, feed, { ...parseMarketsPage(answer.json), answer }, names);
    }
  }
  tellUnseen(run, feed, names);
}

function tellUnseen(run: VenueRun, feed: Feed, names: NamedSeen): void {
  const message = notListed(run.store.read((reader) => selectUnseen(reader, run.named, names, run.now)));
  if (message !== undefined) feed.leaveIncomplete(message);
}

function keepPage(run: VenueRun, feed: Feed, page: Answered, names: NamedSeen): void {
  feed.keep(page.answer, page, (writer) => keepCatalog(writer, page, run.now, names));
}
