import type { Venue } from '../venue.ts';
import { collectEvents } from './collect-catalog.ts';
import { collectDisplayPrices } from './collect-history.ts';
import { collectQuotes } from './collect-quotes.ts';

/**
 * Polymarket's exchange in the United States, which has its own catalog: open events with their markets, from the list
 * or from the boards of leagues and topics; and payouts and display prices, which are quotes and not trades, of the
 * markets that definitions name. Parlays are not carried. For its halted states see statuses.ts.
 */
export const polymarketUs: Venue = {
  family: 'venue_b_us',
  enabled: (config) => config.venues.venue_b_us.enabled,
  requestsPerSecond: (config) => config.venues.venue_b_us.requests_per_second,
  collect: async (run) => {
    const quotesWanted = await collectEvents(run);
    await collectDisplayPrices(run);
    await collectQuotes(run, quotesWanted);
  },
};
