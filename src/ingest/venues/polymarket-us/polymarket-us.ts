import type { Venue } from '../venue.ts';
import { collectEvents } from './collect-catalog.ts';
import { collectDisplayPrices } from './collect-history.ts';
import { collectQuotes } from './collect-quotes.ts';

/**
 * Polymarket's exchange in the United States, a catalog of its own: open events with their markets by the list
 * or by the boards of leagues and topics, what the named ones pay, and their display prices, which are quotes
 * and no trades. Parlays are not carried. Which of its states mean halted: see statuses.ts.
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
