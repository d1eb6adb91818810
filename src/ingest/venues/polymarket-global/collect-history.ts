import { leastOf } from '../../../model/extremes.ts';
import { insertObservations } from '../../../store/prices/prices.ts';
import type { Feed } from '../../feed.ts';
import { newestOf } from '../../history-span.ts';
import { type HistoryWanted, noteHistoryKnown, selectHistoryWanted } from '../../history-wanted.ts';
import type { VenueRun } from '../venue.ts';
import { type FetchedHistory, fetchHistory } from './fetch-history.ts';

const FEED = 'venue_b_global/history';
/** Markets asked at once. */
const AT_ONCE = 4;

/** Reads what is missing of the named markets' hourly price history. */
export async function collectHistory(run: VenueRun): Promise<void> {
  const wanted = run.store.read((reader) => selectHistoryWanted(reader, FEED, run.named, run.now));
  await run.feed(FEED, async (feed) => {
    feed.countEveryRow();
    const collect = async (each: HistoryWanted) => {
      if (each.market.price_token !== null) await collectToken(run, feed, each, each.market.price_token);
    };
    await feed.each(wanted, collect, AT_ONCE);
  });
}

async function collectToken(
  run: VenueRun,
  feed: Feed,
  { market, span, known }: HistoryWanted,
  token: string,
): Promise<void> {
  const first = known === undefined || span.from < known.from;
  const fetched = await fetchHistory({ run, feed, token, decided: DECIDED.has(market.status) }, span, first);
  keepHistory(run, feed, market, span, fetched);
}

const DECIDED: ReadonlySet<string> = new Set(['closed', 'determined', 'disputed', 'settled']);

// The answers are kept one by one and their points together with the last, as one stretch of history.
function keepHistory(
  run: VenueRun,
  feed: Feed,
  market: HistoryWanted['market'],
  span: HistoryWanted['span'],
  fetched: readonly FetchedHistory[],
): void {
  const observations = fetched.flatMap(({ page }) => page.observations);
  const heldAt = leastOf(fetched.map(({ page }) => page.heldAt));
  for (const [i, { answer, page }] of fetched.entries())
    feed.keep(answer, page, (writer) => {
      if (i < fetched.length - 1) return {};
      noteHistoryKnown(
        writer,
        FEED,
        market.market_id,
        span,
        { newest: newestOf(observations), heldAt },
        run.now,
      );
      const batch = { series: 'history' as const, observations };
      return { observations_added: insertObservations(writer, market.market_key, batch, run.now) };
    });
}
