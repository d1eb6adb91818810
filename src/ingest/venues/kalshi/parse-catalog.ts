import type { CatalogEvent, CatalogMarket } from '../../../model/catalog.ts';
import { greatestOf, leastOf } from '../../../model/extremes.ts';
import { given } from '../../../model/given.ts';
import { usableQuote, usableTrade } from '../../../model/observation.ts';
import { catalogId } from '../../../model/platform.ts';
import { type CatalogPage, emptyPage, type ListedMarket } from '../../catalog/listed-market.ts';
import {
  fieldList,
  fieldText,
  leaveOut,
  type Rejection,
  type RowPlace,
  readEnvelope,
  readRow,
  reject,
} from '../../wire/wire-rows.ts';
import { plainTitle } from './plain-title.ts';
import { priceOf } from './prices.ts';
import {
  countMarkets,
  type EventContext,
  questionOf,
  sharedTitles,
  tellApart,
  titleKey,
} from './questions.ts';
import { outcomeDoubt, statusOf } from './statuses.ts';
import * as wire from './wire.ts';

const COMBO = 'a combination of markets of other events is not carried';

/** Parses a page of `/events` with nested markets. Each event and each nested market counts as a row. */
export function parseEventsPage(json: unknown): CatalogPage {
  const envelope = readEnvelope(wire.eventsPage, json);
  const page = emptyPage(envelope.cursor);
  for (const [position, value] of envelope.events.entries()) {
    const place = { position, idField: 'event_ticker' };
    const ticker = fieldText(value, 'event_ticker');
    page.read++;
    page.ids.push(ticker ?? '');
    const isCombo = ticker?.startsWith('KXMVE') ?? false;
    if (isCombo) leaveOut(page, notCarried(value, place, 'event_ticker'));
    const row = isCombo ? undefined : readRow(page, wire.event, value, place);
    if (row) addEvent(page, row, position);
    // The markets of an unreadable event are read without it.
    else addMarkets(page, fieldList(value, 'markets'), position, undefined);
  }
  tellApart(page.markets);
  return page;
}

/**
 * Parses a page of `/markets`, whose rows name their event but do not contain it.
 *
 * @param events those events of the rows that are known from elsewhere, by ticker
 */
export function parseMarketsPage(
  json: unknown,
  events: ReadonlyMap<string, EventContext> = new Map(),
): CatalogPage {
  const envelope = readEnvelope(wire.marketsPage, json);
  const page = emptyPage(envelope.cursor);
  const shared = sharedTitles(envelope.markets);
  for (const [position, value] of envelope.markets.entries()) {
    page.ids.push(fieldText(value, 'ticker') ?? '');
    const event = events.get(fieldText(value, 'event_ticker') ?? '') ?? shared.get(titleKey(value));
    // A row need not have a text: the catalog has the market's question, or gets it from its event.
    addMarket(page, value, { position, idField: 'ticker' }, event, fieldText(value, 'ticker') ?? undefined);
  }
  tellApart(page.markets);
  return page;
}

function addEvent(page: CatalogPage, row: wire.Event, position: number): void {
  const nested = row.markets ?? [];
  const before = page.markets.length;
  addMarkets(page, nested, position, {
    title: row.title,
    series: row.series_ticker,
    markets: countMarkets(nested),
  });
  page.events.push(eventOf(row, page.markets.slice(before)));
}

// Kalshi does not date its events: an event is listed with its first market and closes with its last.
function eventOf(row: wire.Event, listed: readonly ListedMarket[]): CatalogEvent {
  return {
    event_id: catalogId('venue_a', row.event_ticker),
    family: 'venue_a',
    native_id: row.event_ticker,
    title: plainTitle(row.title),
    ...given({
      series: row.series_ticker,
      category: row.category,
      // Distinguishes the event from others of its series: "In 2026", "On Feb 20, 2025".
      description: row.sub_title,
      listed_at: leastOf(listed.map(({ market }) => market.listed_at)),
      closes_at: greatestOf(listed.map(({ market }) => market.closes_at)),
    }),
  };
}

function addMarkets(
  page: CatalogPage,
  values: readonly unknown[],
  position: number,
  event: EventContext | undefined,
): void {
  for (const [i, value] of values.entries())
    addMarket(page, value, { position, within: `markets.${i}`, idField: 'ticker' }, event);
}

/** @param otherwise the question of a market whose row has no text */
function addMarket(
  page: CatalogPage,
  value: unknown,
  place: RowPlace,
  event: EventContext | undefined,
  otherwise?: string,
): void {
  page.read++;
  const isCombo = fieldText(value, 'ticker')?.startsWith('KXMVE');
  if (isCombo || fieldText(value, 'mve_collection_ticker') !== null) {
    leaveOut(page, notCarried(value, place, isCombo ? 'ticker' : 'mve_collection_ticker'));
    return;
  }
  const row = readRow(page, wire.market, value, place);
  if (!row) return;
  const doubt = outcomeDoubt(row);
  if (doubt !== undefined) {
    leaveOut(page, reject(value, place, 'result', doubt));
    return;
  }
  const question = questionOf(row, event) ?? otherwise;
  if (question !== undefined) page.markets.push(listedMarket(row, question, event?.series));
  else leaveOut(page, reject(value, place, 'title', 'title must be a text, got nothing'));
}

function notCarried(value: unknown, place: RowPlace, field: string): Rejection {
  return { ...reject(value, place, field, COMBO), expected: true };
}

function listedMarket(row: wire.Market, question: string, series: string | undefined): ListedMarket {
  const volume = row.volume_fp ?? row.volume;
  const open_interest = row.open_interest_fp ?? row.open_interest;
  const yesBid = priceOf(row.yes_bid_dollars, row.yes_bid);
  const yesAsk = priceOf(row.yes_ask_dollars, row.yes_ask);
  // An empty side is given as a price of 0 or 1: a row without a price for each side does not describe the book.
  const has_book = yesBid !== undefined && yesAsk !== undefined;
  const bid = has_book ? usableQuote(yesBid, row.yes_bid_size_fp) : undefined;
  const ask = has_book ? usableQuote(yesAsk, row.yes_ask_size_fp) : undefined;
  const last = usableTrade(priceOf(row.last_price_dollars, row.last_price));
  const { status, payout } = statusOf(row, bid !== undefined || ask !== undefined);
  const rules = [row.rules_primary, row.rules_secondary].filter((each) => each !== undefined);
  const market: CatalogMarket = {
    market_id: catalogId('venue_a', row.ticker),
    event_id: catalogId('venue_a', row.event_ticker),
    family: 'venue_a',
    native_id: row.ticker,
    question,
    status,
    venue_status: row.status,
    ...given({
      description: rules.length > 0 ? rules.join('\n\n') : undefined,
      // The venue has a page for each series; the ticker of an event need not begin with it.
      event_slug: series?.toLowerCase(),
      listed_at: row.created_time,
      opens_at: row.open_time,
      closes_at: row.close_time,
      settled_at: status === 'settled' ? row.settlement_ts : undefined,
      payout,
      volume,
      volume_unit: volume === undefined ? undefined : ('contracts' as const),
      open_interest,
    }),
  };
  const prices = given({ bid, ask, last, volume, open_interest });
  return { market, quote: { prices, has_book } };
}
