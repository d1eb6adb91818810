import { DAY_MS, HOUR_MS, SECOND_MS } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import { findMarket, type MarketRow } from '../../../store/catalog.ts';
import { findCheckpoint, setCheckpoint } from '../../../store/feeds.ts';
import { insertObservations } from '../../../store/prices.ts';
import type { Feed } from '../../feed.ts';
import type { Span } from '../../history-span.ts';
import { walkPages } from '../../page-walk.ts';
import { urlOf } from '../../url.ts';
import type { VenueRun } from '../venue.ts';
import { type Cutoff, fetchCutoff } from './historical-tier.ts';
import { observationsOfTrades, parseTradesPage, type Trade } from './parse-trades.ts';

const FEED = 'venue_a/trades';
const TRADES_A_PAGE = 1000;
/** The first run of a market reads this far back; before that a rate has quotes and candles. */
const FIRST_MS = DAY_MS;
/** A stretch that is read and written whole. */
const WINDOW_MS = 6 * HOUR_MS;
/** The live tier has what is newer than this; older trades may have been moved to the historical one. */
const LIVE_MS = 7 * DAY_MS;
/** The venue's answers lag behind a little: the newest trades are left for the next run. */
const LAG_MS = 10 * SECOND_MS;

/**
 * Reads what traded in the markets whose trades a definition counts, since the run before, window after window.
 * For all other purposes a quote's last trade and a candle say enough.
 */
export async function collectTrades(run: VenueRun): Promise<void> {
  const counted = run.named.filter(({ counts_trades }) => counts_trades);
  if (counted.length === 0) return;
  await run.feed(FEED, async (feed) => {
    feed.countEveryRow();
    const wanted = run.store.read((reader) =>
      counted.flatMap(({ market_id }) => {
        const market = findMarket(reader, market_id);
        const through = findCheckpoint(reader, FEED, market_id);
        const span =
          market && tradesSpan(market, through === undefined ? undefined : Number(through), run.now);
        return span ? [{ market, span }] : [];
      }),
    );
    const old = wanted.some(({ span }) => span.from < run.now - LIVE_MS);
    const cutoff = old ? await fetchCutoff(run, feed) : {};
    for (const [i, { market, span }] of wanted.entries()) {
      try {
        await collectMarket(run, feed, market, { span, cutoff });
      } catch (thrown) {
        feed.goOnAfter(thrown);
      }
      feed.progress(i + 1, wanted.length);
    }
  });
}

// A settled market trades no more, and what it traded may have been moved to the historical tier.
function tradesSpan(market: MarketRow, through: Instant | undefined, now: Instant): Span | undefined {
  const to = now - LAG_MS - ((now - LAG_MS) % SECOND_MS);
  const from = through ?? to - FIRST_MS;
  const over = market.status === 'settled' && (market.settled_at ?? 0) <= from;
  return over || from >= to ? undefined : { from, to };
}

async function collectMarket(
  run: VenueRun,
  feed: Feed,
  market: MarketRow,
  { span, cutoff: { trades = 0 } }: { span: Span; cutoff: Cutoff },
): Promise<void> {
  const liveFrom = trades - (trades % SECOND_MS);
  for (let { from } = span; from < span.to; ) {
    const moved = from < liveFrom;
    const to = Math.min(span.to, from + WINDOW_MS, moved ? liveFrom : Number.POSITIVE_INFINITY);
    const path = moved ? '/historical/trades' : '/markets/trades';
    if (!(await collectWindow(run, feed, market, { path, from, to }))) return;
    from = to;
  }
}

/** @returns whether the window was read to its end; only then is any of it kept */
async function collectWindow(
  run: VenueRun,
  feed: Feed,
  market: MarketRow,
  { path, ...window }: Span & { path: string },
): Promise<boolean> {
  const trades = new Map<string, Trade>();
  const url = (cursor: string | undefined) =>
    urlOf(run.config.venues.venue_a.base_url, path, {
      ticker: market.native_id,
      // Both bounds are exclusive, in whole seconds.
      min_ts: window.from / SECOND_MS - 1,
      max_ts: window.to / SECOND_MS,
      limit: TRADES_A_PAGE,
      cursor,
    });
  const stopped = await walkPages(
    async (cursor) => {
      const answer = await feed.fetch({ url: url(cursor) });
      return { ...parseTradesPage(answer.json), answer };
    },
    (page) => {
      for (const trade of page.trades)
        if (trade.at >= window.from && trade.at < window.to) trades.set(trade.id, trade);
      feed.keep(page.answer, page, (writer) => {
        if (page.next !== undefined) return {};
        const batch = { series: 'trades' as const, observations: observationsOfTrades([...trades.values()]) };
        setCheckpoint(writer, FEED, market.market_id, String(window.to));
        return { observations_added: insertObservations(writer, market.market_key, batch, run.now) };
      });
    },
  );
  if (stopped !== undefined) feed.leaveIncomplete(stopped);
  return stopped === undefined;
}
