import type { MarketStatus } from '../../model/catalog.ts';
import type { Mark, MarkBasis } from '../../model/mark.ts';
import type { Instant, Probability } from '../../model/units.ts';
import type { LatestQuoteRow } from '../prices/latest-quotes.ts';
import type { Reader, Writer } from '../store.ts';

/** A market whose mark has to be updated: its status, and its newest book and trade. */
export interface UnmarkedMarketRow extends LatestQuoteRow {
  market_key: number;
  status: MarketStatus | null;
  payout: Probability | null;
  /** When a market with a payout settled or, if its venue does not say, was first seen settled. */
  paid_at: Instant | null;
  /** Instant of the newest observation without a book: a trade, or a point of a price history. */
  history_at: Instant | null;
  point_at: Instant | null;
}

/**
 * Markets whose mark in the catalog may be out of date, ordered by key, with their newest observations. Those that are
 * not in the catalog have no status.
 */
export function listUnmarked(reader: Reader, count: number): UnmarkedMarketRow[] {
  return reader.all(
    `SELECT market_key, status, payout, book_at, bid, ask, last, last_at, history_at, point, point_at,
       CASE WHEN payout IS NOT NULL THEN coalesce(settled_at,
         (SELECT max(observed_at) FROM market_statuses AS seen WHERE seen.market_key = markets.market_key)
       ) END AS paid_at
     FROM (SELECT market_key FROM unmarked_markets ORDER BY market_key LIMIT ?)
     LEFT JOIN markets USING (market_key) LEFT JOIN latest_quotes USING (market_key)
     ORDER BY market_key`,
    count,
  );
}

/** Records that the marks of all markets up to a key are up to date. */
export function noteMarked(writer: Writer, lastKey: number): void {
  writer.run('DELETE FROM unmarked_markets WHERE market_key <= ?', lastKey);
}

/** Queues all markets of the catalog to be marked again. */
export function unmarkAll(writer: Writer): void {
  writer.run('INSERT INTO unmarked_markets SELECT market_key FROM markets WHERE true ON CONFLICT DO NOTHING');
}

/**
 * Queues markets to be marked again whose book was observed from one instant (inclusive) to another (exclusive), and
 * that have a newer trade or point of a price history.
 */
export function unmarkAgedBooks(writer: Writer, from: Instant, before: Instant): void {
  writer.run(
    `INSERT INTO unmarked_markets SELECT market_key FROM latest_quotes
     WHERE history_at > book_at AND book_at >= ? AND book_at < ? ON CONFLICT DO NOTHING`,
    from,
    before,
  );
}

/** The mark of a market in the catalog; see {@link setMarketMark}. */
export interface MarketMarkRow {
  price: Probability;
  basis: MarkBasis;
  observed_at: Instant;
  spread: Probability | null;
  /** 1 when the last trade is outside the one remaining quote, else 0. */
  beyond_quote: number;
}

/**
 * Sets the mark of a market in the catalog, or removes it when it is undefined.
 *
 * @returns true when it has changed
 */
export function setMarketMark(writer: Writer, marketKey: number, mark: Mark | undefined): boolean {
  const before = findMarketMark(writer, marketKey);
  if (!mark) {
    if (before) writer.run('DELETE FROM market_marks WHERE market_key = ?', marketKey);
    return before !== undefined;
  }
  const { price, basis, observed_at } = mark;
  const spread = mark.spread ?? null;
  const beyond_quote = mark.beyond_quote ? 1 : 0;
  const same =
    before?.price === price &&
    before.basis === basis &&
    before.observed_at === observed_at &&
    before.spread === spread &&
    before.beyond_quote === beyond_quote;
  if (same) return false;
  writer.run(
    `INSERT INTO market_marks (market_key, price, basis, observed_at, spread, beyond_quote) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (market_key) DO UPDATE SET price = excluded.price, basis = excluded.basis,
       observed_at = excluded.observed_at, spread = excluded.spread, beyond_quote = excluded.beyond_quote`,
    marketKey,
    price,
    basis,
    observed_at,
    spread,
    beyond_quote,
  );
  return true;
}

/** The mark of a market in the catalog, if it has one. */
export function findMarketMark(reader: Reader, marketKey: number): MarketMarkRow | undefined {
  return reader.get(
    'SELECT price, basis, observed_at, spread, beyond_quote FROM market_marks WHERE market_key = ?',
    marketKey,
  );
}
