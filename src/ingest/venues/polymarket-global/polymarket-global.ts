import type { Venue } from '../venue.ts';
import { collectClobBooks } from './collect-books.ts';
import { collectEvents, collectListing } from './collect-catalog.ts';
import { collectHistory } from './collect-history.ts';

/**
 * Polymarket's global exchange: open events with their markets (or the order book host's own listing), hourly
 * price history and books of the markets that definitions name. Only markets with two outcomes are carried; for their
 * Yes side see catalog/yes-side.ts. For the venue's halted and disputed states see statuses.ts.
 */
export const polymarketGlobal: Venue = {
  family: 'venue_b_global',
  enabled: (config) => config.venues.venue_b_global.enabled,
  requestsPerSecond: (config) => config.venues.venue_b_global.requests_per_second,
  collect: async (run) => {
    const { catalog } = run.config.venues.venue_b_global;
    const bookWanted = await (catalog === 'gamma' ? collectEvents(run) : collectListing(run));
    await collectHistory(run);
    await collectClobBooks(run, bookWanted);
  },
};
