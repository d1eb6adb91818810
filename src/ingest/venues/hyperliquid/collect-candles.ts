import { collectHistories } from '../../prices/collect-histories.ts';
import type { VenueRun } from '../venue.ts';
import { candleRequest } from './info-request.ts';
import { parseCandles } from './parse-candles.ts';

/** Fetches the missing hourly candles of the named markets; the venue keeps about seven months of them. */
export function collectCandles(run: VenueRun): Promise<void> {
  return collectHistories(run, {
    feed: 'venue_c/candles',
    series: 'trades_60',
    fetch: async (feed, { market, span }) => {
      const answer = await feed.fetch(candleRequest(run.config, market.native_id, '1h', span));
      const page = parseCandles(answer.json, run.now);
      return { parts: [{ answer, page }], observations: page.observations };
    },
  });
}
