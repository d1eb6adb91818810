import type { BookWanted } from '../../catalog/catalog-walk.ts';
import { collectBooks } from '../../prices/collect-books.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { parseBestQuote } from './parse-best-quote.ts';

/** Fetches best bid, ask and last trade of named markets whose catalog row lacks a side, each with its own request. */
export function collectQuotes(run: VenueRun, wanted: readonly BookWanted[]): Promise<void> {
  return collectBooks(run, wanted, {
    feed: 'venue_b_us/quotes',
    booksARequest: 1,
    idOf: (market) => market.native_id,
    fetch: async (feed, [slug = '']) => {
      const path = `/v1/markets/${encodeURIComponent(slug)}/bbo`;
      const answer = await feed.fetch({ url: urlOf(run.config.venues.venue_b_us.base_url, path) });
      return { answer, page: parseBestQuote(answer.json) };
    },
  });
}
