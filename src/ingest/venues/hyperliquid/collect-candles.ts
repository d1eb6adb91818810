import { collectHistories } from '../../prices/collect-histories.ts';
import type { VenueRun } from '../venue.ts';
import { infoRequest } from './info-request.ts';
import { yesCoin } from './outcome-names.ts';
import { parseCandles } from './parse-candles.ts';

/** Fetches the missing hourly candles of the named markets; the venue keeps about seven months of them. */
export function collectCandles(run: VenueRun): Promise<void> {
  return collectHistories(run, {
    feed: 'venue_c/candles',
    series: 'trades_60',
    fetch: async (feed, { market, span }) => {
      const coin = yesCoin(market.native_id);
      const req = { coin, interval: '1h', startTime: span.from, endTime: span.to };
      const answer = await feed.fetch(infoRequest(run.config, { type: 'candleSnapshot', req }));
      const page = parseCandles(answer.json, run.now);
      return { parts: [{ answer, page }], observations: page.observations };
    },
  });
}
