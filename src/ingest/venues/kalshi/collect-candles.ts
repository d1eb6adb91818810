import type { Instant } from '../../../model/units.ts';
import { insertObservations } from '../../../store/prices.ts';
import type { Feed } from '../../feed.ts';
import { newestOf } from '../../history-span.ts';
import { type HistoryWanted, noteHistoryKnown, selectHistoryWanted } from '../../history-wanted.ts';
import { sideBySide } from '../../side-by-side.ts';
import { urlOf } from '../../url.ts';
import type { VenueRun } from '../venue.ts';
import { type CandleRequest, planCandles } from './candle-plan.ts';
import { parseCandlesPage } from './parse-candles.ts';

const FEED = 'venue_a/candles';
/** Requests under way at once: while one is on the wire, another is read. */
const AT_ONCE = 3;

/** Reads the hourly candles that are missing of the named markets. */
export async function collectCandles(run: VenueRun): Promise<void> {
  const wanted = run.store.read((reader) => selectHistoryWanted(reader, FEED, run.named, run.now));
  const byTicker = new Map(wanted.map((each) => [each.market.native_id ?? '', each]));
  const plan = planCandles([...byTicker].map(([ticker, { span }]) => ({ ticker, ...span })));
  await run.feed(FEED, async (feed) => {
    let done = 0;
    await sideBySide(plan, AT_ONCE, async (request) => {
      try {
        await collectRequest(run, feed, request, byTicker);
      } catch (thrown) {
        feed.goOnAfter(thrown);
      }
      feed.progress(++done, plan.length);
    });
  });
}

async function collectRequest(
  run: VenueRun,
  feed: Feed,
  request: CandleRequest,
  byTicker: ReadonlyMap<string, HistoryWanted>,
): Promise<void> {
  const url = urlOf(run.config.venues.venue_a.base_url, '/markets/candlesticks', {
    market_tickers: request.tickers.join(','),
    start_ts: seconds(request.from),
    end_ts: seconds(request.to),
    period_interval: 60,
  });
  const answer = await feed.fetch({ url });
  const page = parseCandlesPage(answer.json, run.now);
  feed.keep(answer, page, (writer) => {
    let observations_added = 0;
    for (const ticker of request.tickers) {
      const market = byTicker.get(ticker)?.market;
      const observations = page.byTicker.get(ticker);
      if (!market || !observations) continue;
      const batch = { series: 'candle_60' as const, observations };
      observations_added += insertObservations(writer, market.market_key, batch, run.now);
      const reach = { newest: newestOf(observations), heldAt: page.heldAt.get(ticker) };
      noteHistoryKnown(writer, FEED, market.market_id, request, reach, run.now);
    }
    return { observations_added };
  });
}

function seconds(at: Instant): number {
  return Math.floor(at / 1000);
}
