import { hash } from 'node:crypto';
import { given } from '../../model/given.ts';
import type { Instant } from '../../model/units.ts';
import {
  findPageNote,
  insertPageNote,
  type PageName,
  type PageNote,
  seePageAgain,
} from '../../store/catalog/page-notes.ts';
import type { Reader, Writer } from '../../store/store.ts';
import type { Kept } from '../feed.ts';
import { parseJson } from '../wire/json.ts';
import type { VenueRequest } from '../wire/request.ts';
import type { CatalogWalk, WalkState } from './catalog-walk.ts';
import { countValues } from './drift.ts';
import { keepCatalog, QUOTE_STALE_MS } from './keep-catalog.ts';
import type { AnsweredPage, CatalogPage } from './listed-market.ts';

export interface FetchedPage extends AnsweredPage {
  /** Set if a page of the same bytes was parsed before: this one was not, and has no events and markets. */
  note?: PageNote;
}

export interface Listing extends CatalogWalk {
  parse(json: unknown): CatalogPage;
  /** Adds to a page what the store knows of it. */
  complete?(reader: Reader, page: CatalogPage): CatalogPage;
}

/**
 * Fetches a page of a listing. A page whose bytes are known is not parsed again.
 *
 * @param rows of a page, at most
 */
export async function fetchListed(
  listing: Listing,
  rows: number,
  requestOf: (rows: number) => VenueRequest,
): Promise<FetchedPage> {
  const { run, feed, state, parse } = listing;
  const known = new Map<Buffer, PageNote>();
  const isKnown = (body: Buffer): boolean => {
    const note = run.store.read((reader) => recallPage(reader, feed.name, body, run.now, state));
    if (note) known.set(body, note);
    return note !== undefined;
  };
  const answer = await feed.fetchRows(rows, (fewer) => ({ ...requestOf(fewer), isKnown }));
  const note = known.get(answer.body);
  if (!note) return { ...parse(answer.json), answer };
  const { next, ids, rows: read, left_out = [] } = note.reading;
  return { next, ids: [...ids], read, events: [], markets: [], rejections: [...left_out], answer, note };
}

/** Writes a page of a listing. */
export function keepListed({ run, feed, state, parse, complete }: Listing, page: FetchedPage): void {
  const { answer, note } = page;
  feed.keep(answer, page, (writer) => {
    const read = () => {
      const listed = note ? parse(parseJson(answer.body)) : page;
      return complete ? complete(writer, listed) : listed;
    };
    return seeOrKeepPage(writer, { feed: feed.name, body: answer.body, note, read }, run.now, state);
  });
}

/**
 * The note of a page of the same bytes that was parsed before, under the same settings. Undefined when the page must be
 * parsed: there is no such note, or its quotes are so old that they are to be written again.
 */
export function recallPage(
  reader: Reader,
  feed: string,
  body: Buffer,
  now: Instant,
  { settings }: WalkState,
): PageNote | undefined {
  const note = findPageNote(reader, pageName(feed, body), settings);
  return note && now - note.quoted_at <= QUOTE_STALE_MS ? note : undefined;
}

/** A page to write: the bytes that its feed answered, its note if it was recalled, and how it is read if it must be. */
interface WrittenPage {
  feed: string;
  body: Buffer;
  note: PageNote | undefined;
  read(): CatalogPage;
}

/**
 * Marks all that a recalled page lists as seen, if nothing else has changed these rows since the page was noted. Any
 * other page is read and written as {@link keepCatalog} does.
 */
export function seeOrKeepPage(
  writer: Writer,
  { feed, body, note, read }: WrittenPage,
  now: Instant,
  state: WalkState,
): Kept {
  if (!note || !seePageAgain(writer, note, now))
    return keepNoted(writer, pageName(feed, body), read(), now, state);
  state.drift.addUnchanged(note.reading.had);
  return {};
}

/**
 * Writes a page, and notes its content under its bytes. A page with a market that is named, out of scope or exchanged is
 * not noted: what happens to such a row depends on more than its bytes.
 */
function keepNoted(writer: Writer, name: PageName, page: CatalogPage, now: Instant, state: WalkState): Kept {
  const { keys, ...kept } = keepCatalog(writer, page, now, state);
  const named = page.markets.some(({ market }) => state.named.has(market.market_id));
  const exchanged = page.rejections.some((each) => each.exchanged);
  if (!keys || named || kept.out_of_scope || exchanged) return kept;
  const reading = {
    ids: page.ids,
    ...given({ next: page.next }),
    rows: page.read,
    left_out: page.rejections,
    market_keys: keys.markets,
    event_keys: keys.events,
    had: countValues(page.markets),
  };
  insertPageNote(writer, name, state.settings, reading, now);
  return kept;
}

/** The key of a page's note: its feed and the digest of its bytes. */
function pageName(feed: string, body: Buffer): PageName {
  return { feed, digest: hash('sha256', body, 'buffer') };
}
