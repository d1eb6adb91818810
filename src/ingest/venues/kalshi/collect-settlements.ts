import { z } from 'zod';
import { HOUR_MS, toSeconds } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';
import { findKnownMarkets, upsertMarkets } from '../../../store/catalog/catalog.ts';
import { findNote, setNote } from '../../../store/notes.ts';
import type { Writer } from '../../../store/store.ts';
import type { ListedMarket } from '../../catalog/listed-market.ts';
import type { Feed, Kept } from '../../feed.ts';
import type { Span } from '../../prices/history-span.ts';
import type { VenueRun } from '../venue.ts';
import { fetchMarkets } from './look-up.ts';
import { seriesAsked } from './series-asked.ts';
import { withKnownNames } from './what-is-known.ts';

const FEED = 'venue_a/settlements';
/** Note of the instant up to which settlements are known. */
const THROUGH = 'through';
const WINDOW_MS = 6 * HOUR_MS;
/** The venue's answers lag a little, so what settled just before the last known instant is asked for again. */
const OVERLAP_MS = 10 * 60_000;
const MARKETS_A_PAGE = 1000;

/**
 * Reads what settled since the previous run, window by window, oldest first, and updates the markets that the catalog
 * knows. The first run has nothing to catch up with.
 */
export async function collectSettlements(run: VenueRun): Promise<void> {
  await run.feed(FEED, async (feed) => {
    const through = run.store.read((reader) => findNote(reader, FEED, THROUGH, z.number()));
    const from = through === undefined ? run.now : through - OVERLAP_MS;
    const hoursUntil = (at: Instant) => Math.ceil((at - from) / HOUR_MS);
    let length = WINDOW_MS;
    for (let at = from; at < run.now; ) {
      const window = { from: at, to: Math.min(run.now, at + length) };
      const pages = await collectWindow(run, feed, window);
      if (pages === undefined) return;
      // Longer windows while little settled, so that a gap of years takes few requests.
      length = pages === 1 ? length * 2 : WINDOW_MS;
      at = window.to;
      noteThrough(run, at);
      feed.progress(hoursUntil(at), hoursUntil(run.now));
    }
    noteThrough(run, run.now);
  });
}

/** @returns the number of pages of the longest list; undefined if the window was not read to its end */
async function collectWindow(run: VenueRun, feed: Feed, { from, to }: Span): Promise<number | undefined> {
  let whole = true;
  let pages = 0;
  for (const series_ticker of seriesAsked(run)) {
    const parameters = {
      status: 'settled',
      // Both bounds are exclusive.
      min_settled_ts: toSeconds(from) - 1,
      max_settled_ts: Math.ceil(to / 1000) + 1,
      mve_filter: 'exclude',
      limit: MARKETS_A_PAGE,
      series_ticker,
    };
    const ended = await feed.walk(
      (cursor) => fetchMarkets(run, feed, '/markets', { ...parameters, cursor }),
      (page, number) => {
        pages = Math.max(pages, number);
        feed.keep(page.answer, page, (writer) => keepOutcomes(writer, page.markets, run.now));
      },
    );
    whole &&= ended;
  }
  return whole ? pages : undefined;
}

function keepOutcomes(writer: Writer, markets: readonly ListedMarket[], now: Instant): Kept {
  const known = findKnownMarkets(
    writer,
    markets.map(({ market }) => market.market_id),
  );
  const listed = markets.filter(({ market }) => known.has(market.market_id));
  const named = listed.map((each) => withKnownNames(writer, each).market);
  return { rows_changed: upsertMarkets(writer, named, now, known).changed };
}

function noteThrough(run: VenueRun, at: Instant): void {
  run.store.write((writer) => setNote(writer, FEED, THROUGH, at));
}
