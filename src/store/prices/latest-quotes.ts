import { greatestOf, leastOf } from '../../model/extremes.ts';
import { knowsBook, type Observation, SERIES, type Series } from '../../model/observation.ts';
import type { Instant, Probability } from '../../model/units.ts';
import type { Reader, Value, Writer } from '../store.ts';
import { selectPrices, type TailRow } from './price-reads.ts';

/** The newest known book and last trade of a market, and the newest point of its price history; null if there is none. */
export interface LatestQuoteRow {
  book_at: Instant | null;
  bid: Probability | null;
  ask: Probability | null;
  last: Probability | null;
  last_at: Instant | null;
  point: Probability | null;
}

/** The newest known quote of a market; undefined when it was never observed. */
export function findLatestQuote(reader: Reader, marketKey: number): LatestQuoteRow | undefined {
  return reader.get(
    'SELECT book_at, bid, ask, last, last_at, point FROM latest_quotes WHERE market_key = ?',
    marketKey,
  );
}

/** The instants of the newest known book, last trade, and trade or point of a price history of a market. */
type LatestInstants = Record<'book_at' | 'last_at' | 'history_at', Instant | null>;

/** The newest instants of a market; undefined when it was never observed. */
export function findLatestInstants(reader: Reader, marketKey: number): LatestInstants | undefined {
  return reader.get('SELECT book_at, last_at, history_at FROM latest_quotes WHERE market_key = ?', marketKey);
}

/** The newest instant for a series: that of a book if it has books, else of a trade or point of a price history. */
export function newestInstant(latest: LatestInstants | undefined, series: Series): Instant | undefined {
  return (knowsBook(series) ? latest?.book_at : latest?.history_at) ?? undefined;
}

// Book, last trade and point of a price history are updated independently, each only by one that is not older.
const UPSERT_LATEST = `INSERT INTO latest_quotes
    (market_key, book_at, bid, ask, last, last_at, history_at, point, point_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (market_key) DO UPDATE SET
    bid = iif(excluded.book_at >= coalesce(book_at, 0), excluded.bid, bid),
    ask = iif(excluded.book_at >= coalesce(book_at, 0), excluded.ask, ask),
    book_at = max(coalesce(book_at, excluded.book_at), coalesce(excluded.book_at, book_at)),
    last = iif(excluded.last_at >= coalesce(last_at, 0), excluded.last, last),
    last_at = max(coalesce(last_at, excluded.last_at), coalesce(excluded.last_at, last_at)),
    history_at = max(coalesce(history_at, excluded.history_at), coalesce(excluded.history_at, history_at)),
    point = iif(excluded.point_at >= coalesce(point_at, 0), excluded.point, point),
    point_at = max(coalesce(point_at, excluded.point_at), coalesce(excluded.point_at, point_at))
  RETURNING last_at`;

/**
 * Updates the latest quote of a market by new observations that have been stored.
 *
 * @param observations in time order, at least one
 * @param before the newest instants without them
 * @returns the instant of its last trade
 */
export function updateLatestQuote(
  writer: Writer,
  marketKey: number,
  { series, observations }: { series: Series; observations: readonly Observation[] },
  before: LatestInstants | undefined,
): Instant | undefined {
  const newest = observations.at(-1) as Observation;
  const priced = observations.findLast((each) => each.last !== undefined);
  const hasBook = knowsBook(series);
  const { bid = null, ask = null, observed_at } = newest;
  const seen = hasBook ? [observed_at, bid, ask] : [null, null, null];
  const price = [priced?.last ?? null, priced?.observed_at ?? null];
  const none = [null, null];
  const [trade, point] = series === 'history' ? [none, price] : [price, none];
  const historyAt = hasBook ? null : observed_at;
  const lastAt = writer.value<Instant>(UPSERT_LATEST, marketKey, ...seen, ...trade, historyAt, ...point);
  for (const at of new Set([before?.book_at, before?.last_at]))
    if (typeof at === 'number' && (at === seen[0] || at === price[1])) decideTie(writer, marketKey, at);
  return lastAt;
}

const SELECT_AT = 'SELECT * FROM price_tail WHERE observed_at = ? AND market_key = ? ORDER BY recorded_at';

/** Of several series observed at the instant of the latest book or trade, the last in {@link SERIES} counts. */
function decideTie(writer: Writer, marketKey: number, at: Instant): void {
  const tail = new Map([[marketKey, writer.all<TailRow>(SELECT_AT, at, marketKey)]]);
  const span = { from: at, until: at, columns: ['bid', 'ask', 'last'] } as const;
  const { bid = [], ask = [], last = [], series } = selectPrices(writer, marketKey, span, tail);
  const sorts = Array.from(series, (each) => SERIES[each] as Series);
  const book = sorts.findLastIndex(knowsBook);
  const trade = sorts.findLastIndex((each, i) => each !== 'history' && !Number.isNaN(last[i]));
  const value = (price: number | undefined) => (Number.isNaN(price) ? null : (price ?? null));
  writer.run(
    `UPDATE latest_quotes SET bid = iif(book_at = @at, @bid, bid), ask = iif(book_at = @at, @ask, ask),
       last = iif(last_at = @at, @last, last)
     WHERE market_key = @marketKey`,
    { marketKey, at, bid: value(bid[book]), ask: value(ask[book]), last: value(last[trade]) },
  );
}

/** Looks up the last trade until an instant again, because the venue may have withdrawn one. */
export function updateLastTrade(writer: Writer, marketKey: number, until: Instant): void {
  const span = { from: until + 1, until, carry: 'last', columns: ['last'] } as const;
  const { last = [], observed_at, series } = selectPrices(writer, marketKey, span);
  const place = last.findLastIndex(
    (price, i) => !Number.isNaN(price) && SERIES[series[i] ?? 0] !== 'history',
  );
  writer.run(
    'UPDATE latest_quotes SET last = ?, last_at = ? WHERE market_key = ?',
    last[place] ?? null,
    observed_at[place] ?? null,
    marketKey,
  );
}

/** If more than one key in this many of a range is wanted, the whole range is read. */
const DENSE = 4;

/** Some markets: the clause that selects their rows of a table, and the values that it binds. */
export interface MarketsByKey {
  rowsOf(table: string): string;
  keys: Record<string, Value>;
}

/** The markets of some keys: by the range of the keys if they are close together. */
export function marketsByKey(all: readonly number[]): MarketsByKey {
  const [least = 0, most = 0] = [leastOf(all), greatestOf(all)];
  if (most - least < DENSE * all.length)
    return {
      rowsOf: (table) => `${table} WHERE market_key BETWEEN @least AND @most`,
      keys: { least, most },
    };
  return {
    rowsOf: (table) => `json_each(@keys) AS wanted CROSS JOIN ${table} WHERE market_key = wanted.value`,
    keys: { keys: JSON.stringify(all) },
  };
}

/** The keys of those of some markets that have a known book from an instant or later. */
export function listSeenSince(reader: Reader, { rowsOf, keys }: MarketsByKey, at: Instant): number[] {
  return reader.column(`SELECT market_key FROM ${rowsOf('latest_quotes')} AND book_at >= @at`, {
    ...keys,
    at,
  });
}

/** Updates the latest quotes of some markets by the quotes that were written to the tail for an instant. */
export function updateLatestFromTail(
  writer: Writer,
  { rowsOf, keys }: MarketsByKey,
  written: { seen_at: Instant; recorded_at: Instant },
): void {
  writer.run(
    `INSERT INTO latest_quotes (market_key, book_at, bid, ask, last, last_at)
     SELECT market_key, observed_at, bid, ask, last, iif(last IS NULL, NULL, observed_at) FROM ${rowsOf('price_tail')}
       AND observed_at = @seen_at AND series = 'quote' AND recorded_at = @recorded_at
     ON CONFLICT (market_key) DO UPDATE SET bid = excluded.bid, ask = excluded.ask, book_at = excluded.book_at,
       last = iif(excluded.last_at > coalesce(last_at, 0), excluded.last, last),
       last_at = max(coalesce(last_at, excluded.last_at), coalesce(excluded.last_at, last_at))
     WHERE excluded.book_at > coalesce(book_at, 0)`,
    { ...keys, ...written },
  );
}
