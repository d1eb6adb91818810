import type { Config } from '../model/config.ts';
import { HOUR_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { findKnownMarkets, type KnownMarket, upsertEvent, upsertMarket } from '../store/catalog.ts';
import { findLatestQuote, insertObservations, type LatestQuoteRow } from '../store/prices.ts';
import type { Writer } from '../store/store.ts';
import type { DriftTally } from './drift.ts';
import type { Kept } from './feed.ts';
import type { CatalogPage, ListedMarket, ListedQuote } from './listed-market.ts';
import { carriedOf } from './scope.ts';
import type { SeenPrices } from './wire-rows.ts';

/** A named market whose catalog row does not give its price: its book is still to be asked for. */
export interface BookWanted {
  market_key: number;
  market_id: string;
  native_id: string;
  price_token: string | undefined;
  quote: ListedQuote;
}

/** What a catalog walk has met of the markets that definitions name, and what it takes in of the others. */
export interface NamedSeen {
  named: ReadonlySet<string>;
  seen: Set<string>;
  bookWanted: Map<string, BookWanted>;
  scope: Config['scope'];
  drift: DriftTally;
  /** Why pages were not believed; undefined while all were. */
  doubt?: string;
}

/** A quote that did not change is written again once it is this old, so that its age stays small. */
const QUOTE_STALE_MS = HOUR_MS;

/**
 * Writes a page of a catalog: events, markets, and a quote at the run's instant where it tells something
 * new. A named market's quote is always written, so that its age is that of the run; one without bid and ask,
 * or with one of them and no word on the last trade, waits for its book. A page that lost what its markets had is
 * not written at all.
 */
export function keepCatalog(
  writer: Writer,
  page: Pick<CatalogPage, 'events' | 'markets'>,
  now: Instant,
  names: NamedSeen,
): Kept {
  const known = findKnownMarkets(
    writer,
    page.markets.map(({ market }) => market.market_id),
  );
  const quarantined = names.drift.findDrift(page.markets, known);
  if (quarantined !== undefined) {
    names.doubt ??= quarantined;
    return { quarantined };
  }
  const { events, markets, out_of_scope } = carriedOf(writer, page, names);
  let rows_changed = 0;
  let observations_added = 0;
  for (const event of events) if (upsertEvent(writer, event, now)) rows_changed++;
  for (const listed of markets) {
    const { market_id } = listed.market;
    const before = known.get(market_id);
    const { market_key, changed } = upsertMarket(writer, listed.market, now, before);
    if (changed) rows_changed++;
    observations_added += keepQuote(writer, market_key, before, listed, now, names);
  }
  return { rows_changed, observations_added, out_of_scope };
}

function keepQuote(
  writer: Writer,
  marketKey: number,
  known: KnownMarket | undefined,
  { market, quote }: ListedMarket,
  now: Instant,
  names: NamedSeen,
): number {
  const named = names.named.has(market.market_id);
  if (named) names.seen.add(market.market_id);
  if (!quote || market.status === 'settled') return 0;
  const { prices } = quote;
  if (named && wantsBook(quote)) {
    const { market_id, native_id, price_token } = market;
    names.bookWanted.set(market_id, { market_key: marketKey, market_id, native_id, price_token, quote });
    return 0;
  }
  if (!quote.has_book) return keepLastTrade(writer, marketKey, prices, known, now);
  const tells = named || tellsSomething(prices, known, now);
  return tells ? insertQuote(writer, marketKey, prices, now) : 0;
}

function wantsBook({ prices: { bid, ask }, knows_last }: ListedQuote): boolean {
  if (bid === undefined && ask === undefined) return true;
  return knows_last === false && (bid === undefined || ask === undefined);
}

/** Writes what was seen of a market's book and trades at the run's instant. @returns observations added */
export function insertQuote(writer: Writer, marketKey: number, prices: SeenPrices, now: Instant): number {
  const observations = [{ observed_at: now, ...prices }];
  return insertObservations(writer, marketKey, { series: 'quote', observations }, now);
}

/** The same, where it tells something new. @returns observations added */
export function insertQuoteIfNew(
  writer: Writer,
  marketKey: number,
  prices: SeenPrices,
  now: Instant,
): number {
  const latest = findLatestQuote(writer, marketKey);
  return tellsSomething(prices, latest, now) ? insertQuote(writer, marketKey, prices, now) : 0;
}

// A trade without a book is a point of a price history: nobody said that the book was empty.
function keepLastTrade(
  writer: Writer,
  marketKey: number,
  { last }: SeenPrices,
  latest: Pick<LatestQuoteRow, 'last'> | undefined,
  now: Instant,
): number {
  if (last === undefined || latest?.last === last) return 0;
  const observations = [{ observed_at: now, last }];
  return insertObservations(writer, marketKey, { series: 'history', observations }, now);
}

function tellsSomething(
  prices: SeenPrices,
  latest: Pick<LatestQuoteRow, 'book_at' | 'bid' | 'ask' | 'last'> | undefined,
  now: Instant,
): boolean {
  const { bid = null, ask = null, last = null } = prices;
  if (!latest || latest.book_at === null) return bid !== null || ask !== null || last !== null;
  if (bid !== latest.bid || ask !== latest.ask) return true;
  if (last !== null && last !== latest.last) return true;
  return now - latest.book_at > QUOTE_STALE_MS;
}
