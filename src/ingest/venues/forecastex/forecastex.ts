import { isOutcome } from '../../../model/platform.ts';
import type { Venue } from '../venue.ts';
import { collectDays } from './collect-days.ts';

/**
 * ForecastEx, from its daily files: the prices and pairs that each contract traded, day by day, and the payouts of
 * contracts that have left the files. It publishes no book, so its contracts are priced from their last trade alone,
 * and no taker volume: a pair counts as one contract. It reports no halts or disputes.
 */
export const forecastEx: Venue = {
  family: 'venue_c',
  owns: (nativeId) => !isOutcome(nativeId),
  enabled: (config) => config.venues.venue_c_forecastex.enabled,
  requestsPerSecond: (config) => config.venues.venue_c_forecastex.requests_per_second,
  collect: collectDays,
};
