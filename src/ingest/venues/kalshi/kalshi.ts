import type { Venue } from '../venue.ts';
import { collectKalshiBooks } from './collect-books.ts';
import { collectCandles } from './collect-candles.ts';
import { collectEvents } from './collect-catalog.ts';
import { collectSeries } from './collect-series.ts';
import { collectSettlements } from './collect-settlements.ts';
import { collectTrades } from './collect-trades.ts';

/**
 * Kalshi: series, open events with their markets, hourly candles and books of the markets that definitions name, trades
 * of those whose trades definitions count, and settlements. Markets that were moved to the historical tier are read
 * there. Combinations of markets are not carried. For its halted and disputed states see statuses.ts.
 */
export const kalshi: Venue = {
  family: 'venue_a',
  enabled: (config) => config.venues.venue_a.enabled,
  requestsPerSecond: (config) => config.venues.venue_a.requests_per_second,
  collect: async (run) => {
    await collectSeries(run);
    const bookWanted = await collectEvents(run);
    await collectCandles(run);
    await collectTrades(run);
    await collectKalshiBooks(run, bookWanted);
    // Last, since catching up may take longer than the run; the named markets have been looked up by then.
    await collectSettlements(run);
  },
};
