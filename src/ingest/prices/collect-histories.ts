import { greatestOf, leastOf } from '../../model/extremes.ts';
import type { Observation, ObservationBatch, Series } from '../../model/observation.ts';
import type { Instant } from '../../model/units.ts';
import { findMarket, type MarketRow } from '../../store/catalog/catalog.ts';
import { findFeedTriedAt } from '../../store/feeds.ts';
import { noteLateHistory } from '../../store/late-history.ts';
import { findNote, setNote } from '../../store/notes.ts';
import { insertObservations } from '../../store/prices/prices.ts';
import { findLastRun } from '../../store/prints/calculations.ts';
import type { Reader, Writer } from '../../store/store.ts';
import type { Feed } from '../feed.ts';
import type { NamedMarket } from '../named-markets.ts';
import type { VenueRun } from '../venues/venue.ts';
import type { Answer } from '../wire/request.ts';
import type { ReadPage } from '../wire/wire-rows.ts';
import {
  type HistoryAnswer,
  type HistoryKnown,
  historyKnown,
  historyKnownAfter,
  historySpan,
  type Span,
} from './history-span.ts';

/** A market with what is still missing of its price history. */
export interface HistoryWanted {
  market: MarketRow;
  span: Span;
  known: HistoryKnown | undefined;
  named: NamedMarket;
}

/** The named markets of the catalog whose price history is incomplete. */
export function selectHistoryWanted(
  reader: Reader,
  feed: string,
  named: readonly NamedMarket[],
  now: Instant,
): HistoryWanted[] {
  return named.flatMap((each) => {
    const { market_id, history_from } = each;
    const market = findMarket(reader, market_id);
    if (!market) return [];
    const known = findNote(reader, feed, market_id, historyKnown);
    const span = historySpan(market, history_from, known, now);
    return span ? [{ market, span, known, named: each }] : [];
  });
}

/** Notes how much of a market's history is known now, in the transaction that stores it. */
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

/**
 * Stores observations of a market's history. Notes those of hours that were calculated while the venue did not answer,
 * because these hours are not recalculated automatically.
 *
 * @returns the number of observations that are new
 */
export function keepHistory(
  writer: Writer,
  feed: string,
  wanted: HistoryWanted,
  batch: ObservationBatch,
  now: Instant,
): number {
  const { from, to } = calculatedWithout(writer, feed, wanted);
  const late = batch.observations.filter(({ observed_at }) => from < observed_at && observed_at <= to);
  const first = leastOf(late.map(({ observed_at }) => observed_at));
  if (first !== undefined) noteLateHistory(writer, first, now);
  return insertObservations(writer, wanted.market.market_key, batch, now);
}

/** The instants that were calculated while requests for a market's history failed; empty if the venue answered. */
function calculatedWithout(reader: Reader, feed: string, { known, named }: HistoryWanted): Span {
  const calculated = findLastRun(reader) ?? 0;
  const triedAt = findFeedTriedAt(reader, feed) ?? 0;
  const from = known?.asked_at ?? named.priced_from - 1;
  const inVain = known
    ? triedAt > known.asked_at
    : triedAt >= named.named_since && calculated >= named.named_since;
  return { from, to: inVain ? calculated : from };
}

/** One answer with a part of a market's price history. */
export interface HistoryPart<Page extends HistoryRows = HistoryRows> {
  answer: Answer;
  page: Page;
}

export interface HistoryRows extends ReadPage {
  /** Instant of the last observation before the first row that was left out; answers are oldest first. */
  heldAt?: Instant;
}

/** A venue's answers for a span of a market's price history. */
interface HistoryRead {
  parts: readonly HistoryPart[];
  observations: Observation[];
  /** Whether an answer proves nothing, so that the span does not count as known. */
  isDoubtful?: boolean;
}

export interface HistorySource {
  feed: string;
  series: Series;
  /** Markets fetched concurrently; 1 when left out. */
  atOnce?: number;
  fetch(feed: Feed, wanted: HistoryWanted): Promise<HistoryRead>;
}

/**
 * Fetches what is missing of the named markets' hourly price history. The answers of a market are stored one by one;
 * all of its observations are stored with the last one, as one batch.
 */
export async function collectHistories(run: VenueRun, source: HistorySource): Promise<void> {
  const { now, store } = run;
  const named = run.named.filter(({ native_id }) => !run.exchanged.has(native_id.toLowerCase()));
  const wanted = store.read((reader) => selectHistoryWanted(reader, source.feed, named, now));
  const collect = async (feed: Feed, each: HistoryWanted) => {
    const { parts, observations, isDoubtful } = await source.fetch(feed, each);
    const heldAt = leastOf(parts.map(({ page }) => page.heldAt));
    const newest = isDoubtful ? undefined : greatestOf(observations.map(({ observed_at }) => observed_at));
    for (const [i, { answer, page }] of parts.entries())
      feed.keep(answer, page, (writer) => {
        if (i < parts.length - 1) return {};
        noteHistoryKnown(writer, source.feed, each, { newest, heldAt }, now);
        const batch = { series: source.series, observations };
        return { observations_added: keepHistory(writer, source.feed, each, batch, now) };
      });
  };
  await run.feed(source.feed, async (feed) => {
    feed.countEveryRow();
    await feed.each(wanted, (each) => collect(feed, each), source.atOnce);
  });
}
