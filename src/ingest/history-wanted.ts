import type { Instant } from '../model/units.ts';
import { findMarket, type MarketRow } from '../store/catalog/catalog.ts';
import type { Reader, Writer } from '../store/store.ts';
import {
  type HistoryAnswer,
  type HistoryKnown,
  historyKnown,
  historyKnownAfter,
  historySpan,
  type Span,
} from './history-span.ts';
import type { NamedMarket } from './named-markets.ts';
import { findNote, setNote } from './notes.ts';

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
  marketId: string,
  asked: Span,
  answer: HistoryAnswer,
  now: Instant,
): void {
  const before = findNote(writer, feed, marketId, historyKnown);
  const after = historyKnownAfter(asked, answer, before, now);
  if (after) setNote(writer, feed, marketId, after);
}
