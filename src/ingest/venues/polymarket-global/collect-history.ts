import { collectHistories } from '../../prices/collect-histories.ts';
import type { VenueRun } from '../venue.ts';
import { fetchHistory } from './fetch-history.ts';

const DECIDED: ReadonlySet<string> = new Set(['closed', 'determined', 'disputed', 'settled']);

/** Fetches what is missing of the named markets' hourly price history. */
export function collectHistory(run: VenueRun): Promise<void> {
  return collectHistories(run, {
    feed: 'venue_b_global/history',
    series: 'history',
    atOnce: 4,
    fetch: async (feed, { market, span, known }) => {
      const token = market.price_token;
      if (token === null) return { parts: [], observations: [] };
      const isFirst = known === undefined || span.from < known.from;
      const source = { run, feed, token, decided: DECIDED.has(market.status) };
      const parts = await fetchHistory(source, span, isFirst);
      return { parts, observations: parts.flatMap(({ page }) => page.observations) };
    },
  });
}
