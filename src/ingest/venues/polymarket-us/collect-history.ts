import { collectHistories, type HistoryPart } from '../../prices/collect-histories.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { planHistory } from './history-plan.ts';
import { candlesOf, type DisplayPage, parseHistory } from './parse-history.ts';

/** Fetches what is missing of the named markets' display prices, one market at a time, as the venue requires. */
export function collectDisplayPrices(run: VenueRun): Promise<void> {
  const { base_url } = run.config.venues.venue_b_us;
  return collectHistories(run, {
    feed: 'venue_b_us/price-history',
    series: 'candle_60',
    fetch: async (feed, { market, span }) => {
      const parts: HistoryPart<DisplayPage>[] = [];
      // An empty answer to a long request proves nothing: the venue has given such answers for days, and then
      // everything. What the other requests found is still stored.
      let isDoubtful = false;
      for (const { parameters, long } of planHistory(span, run.now)) {
        const url = urlOf(base_url, '/v1/price-history', { symbol: market.native_id, ...parameters });
        const answer = await feed.fetch({ url });
        const page = parseHistory(answer.json);
        parts.push({ answer, page });
        isDoubtful ||= long && page.points.length === 0;
      }
      // The finest points come last and replace coarser ones of the same instants.
      const points = parts.flatMap(({ page }) => page.points);
      const ends = { from: span.from - 1, to: Math.min(span.to, run.now) };
      return { parts, observations: candlesOf(points, ends), isDoubtful };
    },
  });
}
