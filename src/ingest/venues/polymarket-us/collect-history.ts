import { collectHistories, type HistoryPart } from '../../keep-history.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { planHistory } from './history-plan.ts';
import { candlesOf, type DisplayPage, parseHistory } from './parse-history.ts';

/** Reads what is missing of the named markets' display prices; one market after the other, as the venue wants. */
export function collectDisplayPrices(run: VenueRun): Promise<void> {
  const { base_url } = run.config.venues.venue_b_us;
  return collectHistories(run, {
    feed: 'venue_b_us/price-history',
    series: 'candle_60',
    fetch: async (feed, { market, span }) => {
      const parts: HistoryPart<DisplayPage>[] = [];
      // A long request that came back empty proves nothing: the venue has answered so for days, and then with
      // everything. What the others brought is kept all the same.
      let isDoubtful = false;
      for (const { parameters, long } of planHistory(span, run.now)) {
        const url = urlOf(base_url, '/v1/price-history', { symbol: market.native_id, ...parameters });
        const answer = await feed.fetch({ url });
        const page = parseHistory(answer.json);
        parts.push({ answer, page });
        isDoubtful ||= long && page.points.length === 0;
      }
      // The finest comes last and is the one that stands at its instants.
      const points = parts.flatMap(({ page }) => page.points);
      const ends = { from: span.from - 1, to: Math.min(span.to, run.now) };
      return { parts, observations: candlesOf(points, ends), isDoubtful };
    },
  });
}
