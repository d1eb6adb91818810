import { leastOf } from '../model/extremes.ts';
import type { Observation, Series } from '../model/observation.ts';
import type { Instant } from '../model/units.ts';
import { findMarket, type MarketRow } from '../store/catalog/catalog.ts';
import { findNote, setNote } from '../store/notes.ts';
import { insertObservations } from '../store/prices/prices.ts';
import type { Reader, Writer } from '../store/store.ts';
import type { Feed } from './feed.ts';
import {
  type HistoryAnswer,
  type HistoryKnown,
  historyKnown,
  historyKnownAfter,
  historySpan,
  newestOf,
  type Span,
} from './history-span.ts';
import type { NamedMarket } from './named-markets.ts';
import type { VenueRun } from './venues/venue.ts';
import type { Answer } from './wire/request.ts';
import type { ReadPage } from './wire/wire-rows.ts';

/** A market with what is still missing of its price history. */
export interface HistoryWanted {
  market: MarketRow;
  span: Span;
  known: HistoryKnown | undefined;
}

/** The named markets of the catalog whose price history a feed has still to ask for. */
export function selectHistoryWanted(
  reader: Reader,
  feed: string,
  named: readonly NamedMarket[],
  now: Instant,
): HistoryWanted[] {
  return named.flatMap(({ market_id, history_from }) => {
    const market = findMarket(reader, market_id);
    if (!market) return [];
    const known = findNote(reader, feed, market_id, historyKnown);
    const span = historySpan(market, history_from, known, now);
    return span ? [{ market, span, known }] : [];
  });
}

/** Notes how much of a market's history is known now; in the transaction that keeps it. */
export function noteHistoryKnown(
  writer: Writer,
  feed: string,
  { market, span, known }: HistoryWanted,
  answer: HistoryAnswer,
  now: Instant,
): void {
  const after = historyKnownAfter(span, answer, known, now);
  if (after) setNote(writer, feed, market.market_id, after);
}

/** An answer of a market's price history. */
export interface HistoryPart<Page extends HistoryRows = HistoryRows> {
  answer: Answer;
  page: Page;
}

/** The rows of such an answer. */
interface HistoryRows extends ReadPage {
  /** The observation before the first row that was left out; the answer's order is oldest first. */
  heldAt?: Instant;
}

/** What a venue answered of a stretch of a market's price history. */
interface HistoryRead {
  parts: readonly HistoryPart[];
  observations: Observation[];
  /** Whether the stretch is not taken for known: an answer proves nothing. */
  isDoubtful?: boolean;
}

/** How a venue is asked for price histories. */
export interface HistorySource {
  feed: string;
  series: Series;
  /** Markets asked at once; one when left out. */
  atOnce?: number;
  fetch(feed: Feed, wanted: HistoryWanted): Promise<HistoryRead>;
}

/**
 * Reads what is missing of the named markets' hourly price history. The answers of a market are kept one by one and
 * their observations together with the last, as one stretch.
 */
export async function collectHistories(run: VenueRun, source: HistorySource): Promise<void> {
  const { named, now, store } = run;
  const wanted = store.read((reader) => selectHistoryWanted(reader, source.feed, named, now));
  const collect = async (feed: Feed, each: HistoryWanted) => {
    const { parts, observations, isDoubtful } = await source.fetch(feed, each);
    const heldAt = leastOf(parts.map(({ page }) => page.heldAt));
    const newest = isDoubtful ? undefined : newestOf(observations);
    for (const [i, { answer, page }] of parts.entries())
      feed.keep(answer, page, (writer) => {
        if (i < parts.length - 1) return {};
        noteHistoryKnown(writer, source.feed, each, { newest, heldAt }, now);
        const batch = { series: source.series, observations };
        return { observations_added: insertObservations(writer, each.market.market_key, batch, now) };
      });
  };
  await run.feed(source.feed, async (feed) => {
    feed.countEveryRow();
    await feed.each(wanted, (each) => collect(feed, each), source.atOnce);
  });
}
