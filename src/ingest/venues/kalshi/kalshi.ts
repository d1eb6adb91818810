import type { Venue, VenueRun } from '../venue.ts';
import { collectKalshiBooks } from './collect-books.ts';
import { collectCandles } from './collect-candles.ts';
import { collectEvents } from './collect-catalog.ts';
import { collectSeries } from './collect-series.ts';
import { collectSettlements } from './collect-settlements.ts';
import { collectTrades } from './collect-trades.ts';

/**
 * Kalshi: series, open events with their markets, hourly candles and books of the markets that definitions name, the
 * trades of those whose trades they count, and what settled; a market that was moved to the historical tier is read there.
 * Combinations of markets are not carried. Which of its states mean halted or disputed: see statuses.ts.
 */
export const kalshi: Venue = {
  family: 'venue_a',
  enabled: (config) => config.venues.venue_a.enabled,
  requestsPerSecond: (config) => config.venues.venue_a.requests_per_second,
  collect: async (run: VenueRun) => {
    await collectSeries(run);
    const bookWanted = await collectEvents(run);
    await collectCandles(run);
    await collectTrades(run);
    await collectKalshiBooks(run, bookWanted);
    // Last, since there may be more to catch up with than a run has time for; named markets were looked up by then.
    await collectSettlements(run);
  },
};
