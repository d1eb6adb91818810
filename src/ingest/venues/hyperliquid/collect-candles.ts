import { insertObservations } from '../../../store/prices/prices.ts';
import type { Feed } from '../../feed.ts';
import { newestOf } from '../../history-span.ts';
import { type HistoryWanted, noteHistoryKnown, selectHistoryWanted } from '../../history-wanted.ts';
import type { VenueRun } from '../venue.ts';
import { infoRequest } from './info-request.ts';
import { yesCoin } from './outcome-names.ts';
import { parseCandles } from './parse-candles.ts';

const FEED = 'venue_c/candles';

/** Reads the hourly candles that are missing of the named markets; the venue keeps some seven months of them. */
export async function collectCandles(run: VenueRun): Promise<void> {
  const wanted = run.store.read((reader) => selectHistoryWanted(reader, FEED, run.named, run.now));
  await run.feed(FEED, async (feed) => {
    feed.countEveryRow();
    await feed.each(wanted, (each) => collectMarket(run, feed, each));
  });
}

async function collectMarket(run: VenueRun, feed: Feed, { market, span }: HistoryWanted): Promise<void> {
  const coin = yesCoin(market.native_id);
  const req = { coin, interval: '1h', startTime: span.from, endTime: span.to };
  const answer = await feed.fetch(infoRequest(run.config, { type: 'candleSnapshot', req }));
  const page = parseCandles(answer.json, run.now);
  feed.keep(answer, page, (writer) => {
    const reach = { newest: newestOf(page.observations), heldAt: page.heldAt };
    noteHistoryKnown(writer, FEED, market.market_id, span, reach, run.now);
    const batch = { series: 'trades_60' as const, observations: page.observations };
    return { observations_added: insertObservations(writer, market.market_key, batch, run.now) };
  });
}
