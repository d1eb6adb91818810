import type { Instant } from '../../../model/units.ts';
import type { MarketRow } from '../../../store/catalog.ts';
import type { Feed } from '../../feed.ts';
import { urlOf } from '../../url.ts';
import { readEnvelope } from '../../wire-rows.ts';
import type { VenueRun } from '../venue.ts';
import * as wire from './wire.ts';

/**
 * The instant before which settled markets, with their candles, have been moved to the historical tier;
 * undefined when the venue does not say.
 */
export async function fetchCutoff(run: VenueRun, feed: Feed): Promise<Instant | undefined> {
  try {
    const url = urlOf(run.config.venues.venue_a.base_url, '/historical/cutoff', {});
    const answer = await feed.fetch({ url });
    const { market_settled_ts } = readEnvelope(wire.cutoff, answer.json);
    feed.keep(answer, { read: 0, rejections: [] }, () => ({}));
    return market_settled_ts;
  } catch (thrown) {
    feed.goOnAfter(thrown);
    return undefined;
  }
}

/** Whether a market has been moved. */
export function hasMoved({ status, settled_at }: MarketRow, cutoff: Instant | undefined): boolean {
  return status === 'settled' && settled_at !== null && cutoff !== undefined && settled_at < cutoff;
}
