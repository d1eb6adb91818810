import { greatestOf } from '../../../model/extremes.ts';
import { toSeconds } from '../../../model/time.ts';
import { findEvent } from '../../../store/catalog/catalog.ts';
import { findCandleDrift } from '../../catalog/drift.ts';
import type { Feed } from '../../feed.ts';
import {
  type HistoryWanted,
  keepHistory,
  noteHistoryKnown,
  selectHistoryWanted,
} from '../../prices/collect-histories.ts';
import { type HistoryAnswer, joinAnswers, type Span } from '../../prices/history-span.ts';
import type { Answer } from '../../wire/request.ts';
import { urlOf } from '../../wire/url.ts';
import { isVenueTrouble } from '../../wire/venue-trouble.ts';
import type { VenueRun } from '../venue.ts';
import { type CandleRequest, type CandlesWanted, planCandles, planOneByOne } from './candle-plan.ts';
import { fetchCutoff, hasMoved } from './historical-tier.ts';
import { type CandlesPage, parseCandlesPage, parseOneMarketCandles } from './parse-candles.ts';

const FEED = 'venue_a/candles';
/** Requests under way at once. */
const AT_ONCE = 3;

/** A market whose history is being fetched, with the answers so far. */
interface Reading extends HistoryWanted {
  answered: { asked: Span; answer: HistoryAnswer }[];
}

/** The context of requests for candles; the markets are keyed by ticker. */
interface Asking {
  run: VenueRun;
  feed: Feed;
  byTicker: ReadonlyMap<string, Reading>;
}

/**
 * Fetches the missing hourly candles of the named markets: from the live tier for many markets at once, or one market
 * at a time if that fails or the venue has moved the market to the historical tier.
 */
export async function collectCandles(run: VenueRun): Promise<void> {
  const wanted = run.store.read((reader) => selectHistoryWanted(reader, FEED, run.named, run.now));
  const byTicker = new Map<string, Reading>(
    wanted.map((each) => [each.market.native_id, { ...each, answered: [] }]),
  );
  await run.feed(FEED, async (feed) => {
    feed.countEveryRow();
    const asking = { run, feed, byTicker };
    const settled = wanted.some(({ market }) => market.status === 'settled');
    const cutoff = settled ? await fetchCutoff(run, feed) : {};
    const spansOf = (moved: boolean): CandlesWanted[] =>
      wanted
        .filter(({ market }) => hasMoved(market, cutoff) === moved)
        .map(({ market, span }) => ({ ticker: market.native_id, ...span }));
    const plan = [
      ...planCandles(spansOf(false)).map((request) => ({ request, moved: false })),
      ...planOneByOne(spansOf(true)).map((request) => ({ request, moved: true })),
    ];
    const collect = ({ request, moved }: (typeof plan)[number]) =>
      moved ? collectOneMarket(asking, request, 'historical') : collectRequest(asking, request);
    await feed.each(plan, collect, AT_ONCE);
  });
}

async function collectRequest(asking: Asking, request: CandleRequest): Promise<void> {
  const { run, feed } = asking;
  const url = urlOf(run.config.venues.venue_a.base_url, '/markets/candlesticks', {
    market_tickers: request.tickers.join(','),
    ...parametersOf(request),
  });
  let answer: Answer;
  try {
    answer = await feed.fetch({ url });
  } catch (thrown) {
    if (!isVenueTrouble(thrown)) throw thrown;
    feed.leaveIncomplete(
      `candles are fetched one market at a time, since the request for several failed: ${thrown.message}`,
    );
    const { from, to } = request;
    for (const each of planOneByOne(request.tickers.map((ticker) => ({ ticker, from, to }))))
      await feed.part(() => collectOneMarket(asking, each, 'live'));
    return;
  }
  keepCandles(asking, request, answer, parseCandlesPage(answer.json, run.now));
}

async function collectOneMarket(
  asking: Asking,
  request: CandleRequest,
  tier: 'live' | 'historical',
): Promise<void> {
  const { run, feed, byTicker } = asking;
  const [ticker = ''] = request.tickers;
  const path = tier === 'live' ? livePath(run, byTicker.get(ticker)) : `/historical/markets/${enc(ticker)}`;
  if (path === undefined) return;
  const { base_url } = run.config.venues.venue_a;
  const url = urlOf(base_url, `${path}/candlesticks`, parametersOf(request));
  const answer = await feed.find({ url });
  if (answer) keepCandles(asking, request, answer, parseOneMarketCandles(answer.json, run.now));
  else feed.leaveIncomplete(`the venue knows no candles of ${ticker}, though a definition names it`);
}

// A live path contains the series. It is taken from the event, since a ticker need not begin with its series.
function livePath(run: VenueRun, wanted: HistoryWanted | undefined): string | undefined {
  const eventId = wanted?.market.event_id ?? undefined;
  const event = eventId && run.store.read((reader) => findEvent(reader, eventId));
  if (!wanted || !event || event.series === null) return undefined;
  return `/series/${enc(event.series)}/markets/${enc(wanted.market.native_id)}`;
}

// A span that takes several requests counts as known only once all of them were answered.
function keepCandles(
  { run, feed, byTicker }: Asking,
  request: CandleRequest,
  answer: Answer,
  page: CandlesPage,
): void {
  // Only active markets: one that has just settled may have been moved to the historical tier.
  const absent = request.tickers.filter(
    (ticker) => !page.byTicker.has(ticker) && byTicker.get(ticker)?.market.status === 'active',
  );
  if (absent.length > 0)
    feed.leaveIncomplete(
      `the answer has no candles of ${absent.length} of ${request.tickers.length} markets, such as ${absent[0]}`,
    );
  feed.keep(answer, page, (writer) => {
    const batches = request.tickers.flatMap((ticker) => {
      const reading = byTicker.get(ticker);
      const observations = page.byTicker.get(ticker);
      if (!reading || !observations) return [];
      const { market_key } = reading.market;
      return [{ reading, market_key, observations, heldAt: page.heldAt.get(ticker) }];
    });
    const quarantined = findCandleDrift(writer, batches);
    if (quarantined !== undefined) return { quarantined };
    let observations_added = 0;
    for (const { reading, observations, heldAt } of batches) {
      const batch = { series: 'candle_60' as const, observations };
      observations_added += keepHistory(writer, FEED, reading, batch, run.now);
      const { span, answered } = reading;
      const newest = greatestOf(observations.map(({ observed_at }) => observed_at));
      answered.push({ asked: request, answer: { newest, heldAt } });
      const whole = joinAnswers(span, answered);
      if (whole) noteHistoryKnown(writer, FEED, reading, whole, run.now);
    }
    return { observations_added };
  });
}

function parametersOf({ from, to }: CandleRequest) {
  return { start_ts: toSeconds(from), end_ts: toSeconds(to), period_interval: 60 };
}

const enc = encodeURIComponent;
