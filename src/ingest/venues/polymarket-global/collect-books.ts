import type { BookWanted } from '../../catalog/catalog-walk.ts';
import { collectBooks } from '../../prices/collect-books.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { parseBooksAnswer } from './parse-books.ts';

/** Fetches the books of named markets that the catalog lists without bid and ask. */
export function collectClobBooks(run: VenueRun, wanted: readonly BookWanted[]): Promise<void> {
  return collectBooks(run, wanted, {
    feed: 'venue_b_global/books',
    booksARequest: 500,
    idOf: (market) => market.price_token,
    fetch: async (feed, tokens) => {
      const url = urlOf(run.config.venues.venue_b_global.clob_url, '/books');
      const answer = await feed.fetch({ url, body: tokens.map((token_id) => ({ token_id })) });
      return { answer, page: parseBooksAnswer(answer.json) };
    },
    fetchOne: async (feed, token_id) => {
      const answer = await feed.find({
        url: urlOf(run.config.venues.venue_b_global.clob_url, '/book', { token_id }),
      });
      return answer && { answer, page: parseBooksAnswer([answer.json]) };
    },
  });
}
