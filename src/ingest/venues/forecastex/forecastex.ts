import { isOutcome } from '../../../model/platform.ts';
import type { Venue } from '../venue.ts';
import { collectDays } from './collect-days.ts';

/**
 * ForecastEx by its daily files: what each contract traded at and how many pairs, day by day, and what those
 * paid that are in no file any more. It has no book, so its contracts are priced from their last trade alone,
 * and no taker: a pair is one contract. It names no halt and no dispute.
 */
export const forecastEx: Venue = {
  family: 'venue_c',
  owns: (nativeId) => !isOutcome(nativeId),
  enabled: (config) => config.venues.venue_c_forecastex.enabled,
  requestsPerSecond: (config) => config.venues.venue_c_forecastex.requests_per_second,
  collect: collectDays,
};
