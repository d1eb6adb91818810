import type { Instant } from '../../../model/units.ts';
import type { MarketRow } from '../../../store/catalog/catalog.ts';
import type { Feed } from '../../feed.ts';
import { urlOf } from '../../wire/url.ts';
import { readEnvelope } from '../../wire/wire-rows.ts';
import type { VenueRun } from '../venue.ts';
import * as wire from './wire.ts';

/** The instants before which the venue has moved data to its historical tier. */
export interface Cutoff {
  /** Settled markets, with their candles. */
  settled?: Instant | undefined;
  trades?: Instant | undefined;
}

/** Fetches the cutoffs of the historical tier; if the venue fails, nothing is known to have been moved. */
export async function fetchCutoff(run: VenueRun, feed: Feed): Promise<Cutoff> {
  const cutoff = await feed.part(async () => {
    const url = urlOf(run.config.venues.venue_a.base_url, '/historical/cutoff');
    const answer = await feed.fetch({ url });
    const { market_settled_ts, trades_created_ts } = readEnvelope(wire.cutoff, answer.json);
    feed.keep(answer, { read: 0, rejections: [] });
    return { settled: market_settled_ts, trades: trades_created_ts };
  });
  return cutoff ?? {};
}

/** Whether a market has been moved to the historical tier. */
export function hasMoved({ status, settled_at }: MarketRow, { settled }: Cutoff): boolean {
  return status === 'settled' && settled_at !== null && settled !== undefined && settled_at < settled;
}
