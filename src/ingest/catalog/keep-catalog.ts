import type { SeenPrices } from '../../model/observation.ts';
import { HOUR_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { findKnownMarkets, upsertEvents, upsertMarkets } from '../../store/catalog/catalog.ts';
import { forgetPagesSeenAt } from '../../store/catalog/page-notes.ts';
import { findLatestQuote, type LatestQuoteRow } from '../../store/prices/latest-quotes.ts';
import { insertObservations, insertQuotes, type SeenQuote } from '../../store/prices/prices.ts';
import type { Writer } from '../../store/store.ts';
import type { Kept } from '../feed.ts';
import type { CatalogWalk, WalkState } from './catalog-walk.ts';
import type { AnsweredPage, CatalogPage, ListedQuote } from './listed-market.ts';
import { carriedOf } from './scope.ts';

/**
 * An unchanged quote is written again once it is this old, so that its age stays small. More than an hour, so that an
 * hourly run that is a little late does not rewrite every quote.
 */
export const QUOTE_STALE_MS = 1.5 * HOUR_MS;

/** What a page of a catalog changed. */
interface KeptPage extends Kept {
  /** The keys of what it lists; absent when the page was not believed. */
  keys?: { markets: readonly number[]; events: readonly number[] };
}

/**
 * Writes a page of a catalog: events, markets, and those quotes that tell something new, at the run's instant. A named
 * market's quote is always written, so that its age is that of the run; without bid and ask, with a bid above the ask,
 * or with only one of them and an unknown last trade, it waits for the market's book. A page that has lost values that
 * its markets had, or whose quotes are far from those before, is not written at all.
 */
export function keepCatalog(
  writer: Writer,
  page: Pick<CatalogPage, 'events' | 'markets'>,
  now: Instant,
  state: WalkState,
): KeptPage {
  const known = findKnownMarkets(
    writer,
    page.markets.map(({ market }) => market.market_id),
  );
  const quarantined = state.drift.findDrift(page.markets, known, now);
  if (quarantined !== undefined) {
    state.doubt ??= quarantined;
    return { quarantined };
  }
  const { events, markets, out_of_scope } = carriedOf(writer, page, state);
  const ofEvents = upsertEvents(writer, events, now);
  const listings = markets.map(({ market }) => market);
  const ofMarkets = upsertMarkets(writer, listings, now, known);
  // A row on two pages is stored as the later one has it, so notes of this run's pages may no longer hold.
  if (ofEvents.again + ofMarkets.again > 0) forgetPagesSeenAt(writer, now);
  const quotes: SeenQuote[] = [];
  let trades_added = 0;
  for (const { market, quote } of markets) {
    const { market_id, native_id, price_token, status } = market;
    const market_key = ofMarkets.keys.get(market_id) as number;
    const named = state.named.has(market_id);
    if (named) state.seen.add(market_id);
    if (!quote || status === 'settled') continue;
    const { prices, has_book } = quote;
    const before = known.get(market_id);
    if (named && wantsBook(quote))
      state.bookWanted.set(market_id, { market_key, market_id, native_id, price_token, status, quote });
    else if (!has_book) trades_added += keepLastTrade(writer, market_key, prices, before, now);
    else if (named || isWorthWriting(prices, before, now)) quotes.push({ market_key, prices });
  }
  return {
    keys: { markets: [...ofMarkets.keys.values()], events: [...ofEvents.keys.values()] },
    rows_changed: ofEvents.changed + ofMarkets.changed,
    observations_added: trades_added + insertQuotes(writer, quotes, now),
    out_of_scope,
  };
}

/** Stores an answer with the page that was parsed from it. */
export function keepPage({ run, feed, state }: CatalogWalk, page: AnsweredPage): void {
  feed.keep(page.answer, page, (writer) => keepCatalog(writer, page, run.now, state));
}

function wantsBook({ prices: { bid, ask }, knows_last }: ListedQuote): boolean {
  if (bid === undefined && ask === undefined) return true;
  if (bid === undefined || ask === undefined) return knows_last === false;
  // The two sides of a catalog row may be of different instants.
  return bid > ask;
}

/** Writes what was seen of a market's book and trades at the run's instant. @returns observations added */
export function insertQuote(writer: Writer, marketKey: number, prices: SeenPrices, now: Instant): number {
  return insertQuotes(writer, [{ market_key: marketKey, prices }], now);
}

/** Like {@link insertQuote}, but only if the quote is new or the latest one is stale. @returns observations added */
export function insertQuoteIfNew(
  writer: Writer,
  marketKey: number,
  prices: SeenPrices,
  now: Instant,
): number {
  const latest = findLatestQuote(writer, marketKey);
  return isWorthWriting(prices, latest, now) ? insertQuote(writer, marketKey, prices, now) : 0;
}

// A trade without a book is a point of the price history: written as a quote, it would say that the book is empty.
function keepLastTrade(
  writer: Writer,
  marketKey: number,
  { last }: SeenPrices,
  latest: Pick<LatestQuoteRow, 'last' | 'point'> | undefined,
  now: Instant,
): number {
  if (last === undefined || (latest?.point ?? latest?.last) === last) return 0;
  const observations = [{ observed_at: now, last }];
  return insertObservations(writer, marketKey, { series: 'history', observations }, now);
}

function isWorthWriting(
  prices: SeenPrices,
  latest: Pick<LatestQuoteRow, 'book_at' | 'bid' | 'ask' | 'last'> | undefined,
  now: Instant,
): boolean {
  const { bid = null, ask = null, last = null } = prices;
  if (!latest || latest.book_at === null) return true;
  if (bid !== latest.bid || ask !== latest.ask) return true;
  if (last !== null && last !== latest.last) return true;
  // Most markets of a venue are never quoted, which need not be recorded every hour.
  const isQuoted = bid !== null || ask !== null;
  return isQuoted && now - latest.book_at > QUOTE_STALE_MS;
}
