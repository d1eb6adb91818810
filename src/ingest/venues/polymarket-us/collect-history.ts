import { leastOf } from '../../../model/extremes.ts';
import { insertObservations } from '../../../store/prices/prices.ts';
import type { Feed } from '../../feed.ts';
import { newestOf } from '../../history-span.ts';
import { type HistoryWanted, noteHistoryKnown, selectHistoryWanted } from '../../history-wanted.ts';
import type { Answer } from '../../wire/request.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { type HistoryRequest, planHistory } from './history-plan.ts';
import { candlesOf, type DisplayPage, parseHistory } from './parse-history.ts';

const FEED = 'venue_b_us/price-history';

/** Reads what is missing of the named markets' display prices; one market after the other, as the venue wants. */
export async function collectDisplayPrices(run: VenueRun): Promise<void> {
  const wanted = run.store.read((reader) => selectHistoryWanted(reader, FEED, run.named, run.now));
  await run.feed(FEED, async (feed) => {
    feed.countEveryRow();
    await feed.each(wanted, (each) => collectMarket(run, feed, each));
  });
}

interface Fetched {
  request: HistoryRequest;
  answer: Answer;
  page: DisplayPage;
}

async function collectMarket(run: VenueRun, feed: Feed, wanted: HistoryWanted): Promise<void> {
  const symbol = wanted.market.native_id;
  const fetched: Fetched[] = [];
  for (const request of planHistory(wanted.span, run.now)) {
    const { base_url } = run.config.venues.venue_b_us;
    const url = urlOf(base_url, '/v1/price-history', { symbol, ...request.parameters });
    const answer = await feed.fetch({ url });
    fetched.push({ request, answer, page: parseHistory(answer.json) });
  }
  keepHistory(run, feed, wanted, fetched);
}

// A long request that came back empty proves nothing: the venue has answered so for days, and then with
// everything. What the others brought is kept, but the stretch is not taken for known.
function keepHistory(
  run: VenueRun,
  feed: Feed,
  { market, span }: HistoryWanted,
  fetched: readonly Fetched[],
): void {
  // The finest comes last and is the one that stands at its instants.
  const observations = candlesOf(
    fetched.flatMap(({ page }) => page.points),
    { from: span.from - 1, to: Math.min(span.to, run.now) },
  );
  const whole = fetched.every(({ request, page }) => !request.long || page.points.length > 0);
  const heldAt = leastOf(fetched.map(({ page }) => page.heldAt));
  const newest = whole ? newestOf(observations) : undefined;
  for (const [i, { answer, page }] of fetched.entries())
    feed.keep(answer, page, (writer) => {
      if (i < fetched.length - 1) return {};
      noteHistoryKnown(writer, FEED, market.market_id, span, { newest, heldAt }, run.now);
      const batch = { series: 'candle_60' as const, observations };
      return { observations_added: insertObservations(writer, market.market_key, batch, run.now) };
    });
}
