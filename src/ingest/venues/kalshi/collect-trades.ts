import { z } from 'zod';
import { DAY_MS, floorTo, HOUR_MS, SECOND_MS } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import { findMarket, type MarketRow } from '../../../store/catalog/catalog.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import { insertObservations } from '../../../store/prices/prices.ts';
import type { Feed } from '../../feed.ts';
import type { Span } from '../../prices/history-span.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { type Cutoff, fetchCutoff } from './historical-tier.ts';
import { observationsOfTrades, parseTradesPage, type Trade } from './parse-trades.ts';

const FEED = 'venue_a/trades';
const TRADES_A_PAGE = 1000;
/** How far back the first read of a market goes; before that a rate uses quotes and candles. */
const FIRST_MS = DAY_MS;
/** A span that is read and written as a whole. */
const WINDOW_MS = 6 * HOUR_MS;
/** The live tier has all trades newer than this; older ones may have been moved to the historical tier. */
const LIVE_MS = 7 * DAY_MS;
/** The venue's answers lag a little, so the newest trades are left to the next run. */
const LAG_MS = 10 * SECOND_MS;

/** How far the trades of a market are known. */
const tradesKnown = z.object({
  through: z.number(),
  /** End of what was read beyond `through`; it is read once more, since its first window is doubtful. */
  again: z.number().optional(),
});
type TradesKnown = z.output<typeof tradesKnown>;

/** A market whose trades are being read, with what is known of them. */
interface Reading {
  market: MarketRow;
  span: Span;
  known: TradesKnown;
}

/**
 * Reads the trades since the previous run, window by window, of the markets whose trades a definition counts; for all
 * other markets, last trades in quotes and candles are enough. A doubtful window, which has an unreadable row or no
 * trade, is read once more by the next run together with all that follows it: empty answers have been wrong before.
 */
export async function collectTrades(run: VenueRun): Promise<void> {
  const counted = run.named.filter(({ counts_trades }) => counts_trades);
  if (counted.length === 0) return;
  await run.feed(FEED, async (feed) => {
    feed.countEveryRow();
    const wanted = run.store.read((reader) =>
      counted.flatMap(({ market_id }): Reading | [] => {
        const market = findMarket(reader, market_id);
        const known = findNote(reader, FEED, market_id, tradesKnown);
        const span = market && tradesSpan(market, known?.through, run.now);
        return span ? { market, span, known: known ?? { through: span.from } } : [];
      }),
    );
    const old = wanted.some(({ span }) => span.from < run.now - LIVE_MS);
    const cutoff = old ? await fetchCutoff(run, feed) : {};
    await feed.each(wanted, (reading) => collectMarket(run, feed, reading, cutoff));
  });
}

// Undefined once a settled market was read up to its settlement or, if that has no instant, its close; its trades may have
// been moved to the historical tier.
function tradesSpan(market: MarketRow, through: Instant | undefined, now: Instant): Span | undefined {
  const to = floorTo(now - LAG_MS, SECOND_MS);
  const from = through ?? to - FIRST_MS;
  const over = market.status === 'settled' && (market.settled_at ?? market.closes_at ?? 0) <= from;
  return over || from >= to ? undefined : { from, to };
}

async function collectMarket(
  run: VenueRun,
  feed: Feed,
  { market, span, known }: Reading,
  { trades = 0 }: Cutoff,
): Promise<void> {
  const liveFrom = floorTo(trades, SECOND_MS);
  let after = known;
  let length = WINDOW_MS;
  for (let { from } = span; from < span.to; ) {
    const ends = [span.to, from + length, liveFrom, known.again ?? 0];
    const to = Math.min(...ends.filter((end) => end > from));
    const path = from < liveFrom ? '/historical/trades' : '/markets/trades';
    const read = await collectWindow(run, feed, { market, span: { from, to }, known: after }, path);
    if (!read) return;
    after = read.known;
    // Longer windows while little traded, so that a gap of months takes few requests.
    length = read.pages === 1 ? length * 2 : WINDOW_MS;
    from = to;
  }
}

/**
 * What is known after one more window. `through` stops before the first doubtful window, which the next run reads once
 * more with all that follows it. A window that is read for the second time is accepted as it is.
 */
function knownAfter(
  { through, again = 0 }: TradesKnown,
  { from, to }: Span,
  isDoubtful: boolean,
): TradesKnown {
  if (through < from) return { through, again: to };
  if (isDoubtful && from >= again) return { through: from, again: to };
  return to < again ? { through: to, again } : { through: to };
}

/** @returns its pages and what is known then; undefined if it was not read to its end, and then no trade is stored */
async function collectWindow(
  run: VenueRun,
  feed: Feed,
  { market, span: { from, to }, known }: Reading,
  path: string,
): Promise<{ pages: number; known: TradesKnown } | undefined> {
  const trades = new Map<string, Trade>();
  let unreadable = false;
  let read: { pages: number; known: TradesKnown } | undefined;
  const url = (cursor: string | undefined) =>
    urlOf(run.config.venues.venue_a.base_url, path, {
      ticker: market.native_id,
      // Both bounds are exclusive, in whole seconds.
      min_ts: from / SECOND_MS - 1,
      max_ts: to / SECOND_MS,
      limit: TRADES_A_PAGE,
      cursor,
    });
  await feed.walk(
    async (cursor) => {
      const answer = await feed.fetch({ url: url(cursor) });
      return { ...parseTradesPage(answer.json, market.native_id), answer };
    },
    (page, pages) => {
      for (const trade of page.trades) if (trade.at >= from && trade.at < to) trades.set(trade.id, trade);
      unreadable ||= page.rejections.length > 0;
      feed.keep(page.answer, page, (writer) => {
        if (page.next !== undefined) return {};
        const batch = { series: 'trades' as const, observations: observationsOfTrades([...trades.values()]) };
        const after = knownAfter(known, { from, to }, unreadable || trades.size === 0);
        read = { pages, known: after };
        setNote(writer, FEED, market.market_id, after);
        return { observations_added: insertObservations(writer, market.market_key, batch, run.now) };
      });
    },
  );
  return read;
}
