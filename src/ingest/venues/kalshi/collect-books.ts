import type { BookWanted } from '../../catalog/catalog-walk.ts';
import { collectBooks } from '../../prices/collect-books.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { parseBooksPage, parseOneBook } from './parse-books.ts';

/** Fetches the books of named markets that the catalog lists without bid and ask. */
export function collectKalshiBooks(run: VenueRun, wanted: readonly BookWanted[]): Promise<void> {
  return collectBooks(run, wanted, {
    feed: 'venue_a/books',
    booksARequest: 100,
    idOf: (market) => market.native_id,
    fetch: async (feed, tickers) => {
      const url = urlOf(run.config.venues.venue_a.base_url, '/markets/orderbooks', { tickers });
      const answer = await feed.fetch({ url });
      return { answer, page: parseBooksPage(answer.json) };
    },
    fetchOne: async (feed, ticker) => {
      const path = `/markets/${encodeURIComponent(ticker)}/orderbook`;
      const answer = await feed.find({ url: urlOf(run.config.venues.venue_a.base_url, path) });
      return answer && { answer, page: parseOneBook(answer.json, ticker) };
    },
  });
}
