import { DAY_MS } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import { insertObservations } from '../../../store/prices.ts';
import { type Feed, isVenueTrouble } from '../../feed.ts';
import { type HistoryWanted, noteHistoryKnown, selectHistoryWanted } from '../../history-wanted.ts';
import { sideBySide } from '../../side-by-side.ts';
import type { VenueRun } from '../venue.ts';
import { type FetchedHistory, fetchDataHistory, fetchTokenHistory } from './fetch-history.ts';

const FEED = 'venue_b_global/history';
/** Markets asked at once: while one is on the wire, another is written. */
const AT_ONCE = 4;
/** Where hourly points begin this much later than wanted, the coarse history is asked for what is before. */
const HOURLY_GAP_MS = DAY_MS;

/** Reads what is missing of the named markets' hourly price history. */
export async function collectHistory(run: VenueRun): Promise<void> {
  const wanted = run.store.read((reader) => selectHistoryWanted(reader, FEED, run.named, run.now));
  await run.feed(FEED, async (feed) => {
    let done = 0;
    await sideBySide(wanted, AT_ONCE, async (each) => {
      try {
        if (each.market.price_token !== null) await collectToken(run, feed, each, each.market.price_token);
      } catch (thrown) {
        feed.goOnAfter(thrown);
      }
      feed.progress(++done, wanted.length);
    });
  });
}

async function collectToken(
  run: VenueRun,
  feed: Feed,
  { market, span, known }: HistoryWanted,
  token: string,
): Promise<void> {
  const source = { run, feed, token, decided: DECIDED.has(market.status) };
  let fetched: FetchedHistory[] | undefined;
  try {
    fetched = await fetchDataHistory(source, span, (earliest) => {
      const first = known === undefined || span.from < known.from;
      return first && (earliest === undefined || earliest > span.from + HOURLY_GAP_MS);
    });
  } catch (thrown) {
    if (!isVenueTrouble(thrown)) throw thrown;
    feed.leaveIncomplete(`history from the order book host instead: ${thrown.message}`);
  }
  const empty = fetched?.every(({ page }) => page.observations.length === 0);
  if (!fetched || (empty && known === undefined))
    fetched = [...(fetched ?? []), ...(await fetchTokenHistory(source, span))];
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
  let newest: Instant | undefined;
  for (const { observed_at } of observations) newest = Math.max(newest ?? observed_at, observed_at);
  for (const [i, { answer, page }] of fetched.entries())
    feed.keep(answer, page, (writer) => {
      if (i < fetched.length - 1) return {};
      noteHistoryKnown(writer, FEED, market.market_id, span, newest, run.now);
      const batch = { series: 'history' as const, observations };
      return { observations_added: insertObservations(writer, market.market_key, batch, run.now) };
    });
}
