import { chunksOf } from '../../model/chunks.ts';
import type { SeenPrices } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import type { Writer } from '../../store/store.ts';
import type { BookWanted } from '../catalog/catalog-walk.ts';
import { insertQuote } from '../catalog/keep-catalog.ts';
import type { Feed } from '../feed.ts';
import type { VenueRun } from '../venues/venue.ts';
import type { Answer } from '../wire/request.ts';
import { isVenueTrouble, wantsKey } from '../wire/venue-trouble.ts';
import type { ReadPage } from '../wire/wire-rows.ts';

/** The best bid and ask of each book of an answer, by the id that was asked for; `{}` if both sides are empty. */
export interface BooksPage extends ReadPage {
  byId: Map<string, SeenPrices>;
}

export interface BookSource {
  feed: string;
  booksARequest: number;
  /** The id by which the venue gives the book; a market without one has no book to ask for. */
  idOf(market: BookWanted): string | undefined;
  fetch(feed: Feed, ids: string[]): Promise<FetchedBooks>;
  /** Fetches one book, if the venue refuses several at once; undefined when it has none. */
  fetchOne?(feed: Feed, id: string): Promise<FetchedBooks | undefined>;
}

interface FetchedBooks {
  answer: Answer;
  page: BooksPage;
}

interface BooksOfMarkets extends FetchedBooks {
  markets: readonly BookWanted[];
}

/**
 * Fetches the books of named markets whose catalog row does not give their price, and writes quotes at the run's
 * instant. If no book comes, the catalog row's own quote is written, provided that the row describes the book. Active
 * markets whose book the venue leaves out are reported.
 */
export async function collectBooks(
  run: VenueRun,
  wanted: readonly BookWanted[],
  source: BookSource,
): Promise<void> {
  const left = new Set(wanted);
  await run.feed(source.feed, async (feed) => {
    feed.countEveryRow();
    try {
      const asked = wanted.filter((each) => source.idOf(each) !== undefined);
      const absent: BookWanted[] = [];
      for (const chunk of chunksOf(asked, source.booksARequest)) {
        for (const fetched of await fetchBooks(feed, source, chunk)) {
          absent.push(...keepBooks(run, feed, source, fetched));
          for (const each of fetched.markets) left.delete(each);
        }
        feed.progress(wanted.length - left.size, wanted.length);
      }
      const named = new Set(asked.map((each) => each.market_id));
      reportAbsent(feed, absent.filter(isActive), asked.filter(isActive).length, named);
    } finally {
      run.store.write((writer) => {
        for (const each of left) keepPrices(writer, each, undefined, run.now);
      });
    }
  });
}

/** Writes the quotes of an answer. @returns the markets whose books it leaves out */
function keepBooks(
  { now }: VenueRun,
  feed: Feed,
  source: BookSource,
  { answer, page, markets }: BooksOfMarkets,
): BookWanted[] {
  const bookOf = (each: BookWanted) => page.byId.get(source.idOf(each) ?? '');
  feed.keep(answer, page, (writer) => {
    let observations_added = 0;
    for (const each of markets) observations_added += keepPrices(writer, each, bookOf(each), now);
    return { observations_added };
  });
  return markets.filter((each) => bookOf(each) === undefined);
}

const isActive = ({ status }: BookWanted) => status === 'active';

/**
 * Reports active markets whose books the venue does not have, if they are over half of those asked for, or one of them
 * is named by a definition; a few others may settle while books are read.
 */
export function reportAbsent(
  feed: Feed,
  absent: readonly Pick<BookWanted, 'market_id' | 'native_id'>[],
  of: number,
  named: ReadonlySet<string>,
): void {
  const first = absent.find((each) => named.has(each.market_id)) ?? absent[0];
  if (!first || (!named.has(first.market_id) && absent.length * 2 <= of)) return;
  feed.leaveIncomplete(`${absent.length} of ${of} active markets have no book, such as ${first.native_id}`);
}

/**
 * Fetches the books of some markets, together or, if that fails and the venue allows it, one by one.
 *
 * @throws ForemarkError venue_unavailable when the venue gives not even one book without a key
 */
async function fetchBooks(
  feed: Feed,
  source: BookSource,
  markets: readonly BookWanted[],
): Promise<BooksOfMarkets[]> {
  const { fetchOne } = source;
  const idOf = (each: BookWanted) => source.idOf(each) ?? '';
  const fetchAll = async () => ({ ...(await source.fetch(feed, markets.map(idOf))), markets });
  if (!fetchOne) {
    const all = await feed.part(fetchAll);
    return all ? [all] : [];
  }
  try {
    return [await fetchAll()];
  } catch (thrown) {
    if (!isVenueTrouble(thrown)) throw thrown;
    feed.leaveIncomplete(
      `books are fetched one by one, since the request for several failed: ${thrown.message}`,
    );
  }
  const fetched: BooksOfMarkets[] = [];
  for (const each of markets) {
    try {
      const one = await fetchOne(feed, idOf(each));
      if (one) fetched.push({ ...one, markets: [each] });
    } catch (thrown) {
      if (fetched.length === 0 && wantsKey(thrown)) throw thrown;
      feed.failPart(thrown);
    }
  }
  return fetched;
}

// The catalog row adds what the book lacks: last trade, volume and open interest, but no side of its own quote.
function keepPrices(
  writer: Writer,
  { market_key, quote: { prices, has_book } }: BookWanted,
  book: SeenPrices | undefined,
  now: Instant,
): number {
  const { bid: _bid, ask: _ask, ...beside } = prices;
  if (book) return insertQuote(writer, market_key, { ...beside, ...book }, now);
  return has_book ? insertQuote(writer, market_key, prices, now) : 0;
}
