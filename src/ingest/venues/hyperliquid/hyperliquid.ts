import { isOutcome } from '../../../model/platform.ts';
import type { Venue } from '../venue.ts';
import { collectBooks } from './collect-books.ts';
import { collectCandles } from './collect-candles.ts';
import { collectOutcomes } from './collect-outcomes.ts';
import { collectVolumes } from './collect-volumes.ts';

/**
 * Hyperliquid's outcome markets: the live ones with their books, the payouts of settled ones, hourly candles of the
 * markets that definitions name, and lifetime volumes in taker contracts, added up by the day. Side 0 is the Yes side.
 * The venue has no word for a halt or a dispute.
 */
export const hyperliquid: Venue = {
  family: 'venue_c',
  owns: isOutcome,
  enabled: (config) => config.venues.venue_c.enabled,
  requestsPerSecond: (config) => config.venues.venue_c.weight_per_second,
  collect: async (run) => {
    const markets = await collectOutcomes(run);
    await collectCandles(run);
    await collectBooks(run, markets);
    await collectVolumes(run, markets);
  },
};
