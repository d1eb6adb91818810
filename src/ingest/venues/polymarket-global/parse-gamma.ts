import { given } from '../../../model/given.ts';
import { type SeenPrices, usableQuote, usableTrade } from '../../../model/observation.ts';
import { catalogId } from '../../../model/platform.ts';
import { roundTo } from '../../../model/units.ts';
import {
  type CatalogPage,
  emptyPage,
  type ListedEvent,
  type ListedMarket,
} from '../../catalog/listed-market.ts';
import {
  type FindKnownYes,
  type KnownYes,
  keptYesPlace,
  NONE_KNOWN,
  rejectExchanged,
  yesName,
  yesPlace,
} from '../../catalog/yes-side.ts';
import {
  fieldList,
  fieldText,
  leaveOut,
  type RowPlace,
  readEnvelope,
  readRow,
  reject,
} from '../../wire/wire-rows.ts';
import { lifeOf } from './statuses.ts';
import * as wire from './wire.ts';

/**
 * Parses a page of `/events/keyset`, whose events contain their markets. Each event and each market is a row. A market
 * that is known keeps its Yes side.
 */
export function parseEventsPage(json: unknown, findYes: FindKnownYes = NONE_KNOWN): CatalogPage {
  const envelope = readEnvelope(wire.eventsPage, json);
  const page = emptyPage(envelope.next_cursor);
  for (const [position, value] of envelope.events.entries()) {
    page.read++;
    page.ids.push(fieldText(value, 'id') ?? '');
    const event = readRow(page, wire.event, value, { position, idField: 'id' });
    if (event) page.events.push(eventOf(event));
    // The markets of an unreadable event are read with what they need of it, if that can be read.
    const parent = event ?? wire.parent.safeParse(value).data;
    for (const [i, each] of (event?.markets ?? fieldList(value, 'markets')).entries())
      addMarket(page, each, { position, within: `markets.${i}`, idField: 'conditionId' }, findYes, parent);
  }
  return page;
}

/**
 * Parses a page of `/markets/keyset`. Its markets name their event; events named with a title are listed too. A market
 * that is known keeps its Yes side.
 */
export function parseMarketsPage(json: unknown, findYes: FindKnownYes = NONE_KNOWN): CatalogPage {
  const envelope = readEnvelope(wire.marketsPage, json);
  const page = emptyPage(envelope.next_cursor);
  const events = new Map<string, ListedEvent>();
  for (const [position, value] of envelope.markets.entries()) {
    page.ids.push(fieldText(value, 'conditionId') ?? '');
    const parent = addMarket(page, value, { position, idField: 'conditionId' }, findYes)?.events?.[0];
    if (parent?.title !== undefined) events.set(parent.id, eventOf({ ...parent, title: parent.title }));
  }
  return { ...page, read: page.read + events.size, events: [...events.values()] };
}

function eventOf(row: Omit<wire.Event, 'markets'>): ListedEvent {
  return {
    event_id: catalogId('venue_b_global', row.id),
    family: 'venue_b_global',
    native_id: row.id,
    title: row.title,
    tags: row.tags,
    ...given({
      slug: row.slug,
      series: row.seriesSlug ?? row.series?.[0]?.slug,
      category: row.category,
      description: row.description,
      listed_at: row.createdAt ?? row.creationDate,
      closes_at: row.endDate,
      volume: row.volume,
      open_interest: row.openInterest,
    }),
  };
}

/** @returns the row; undefined if it was left out */
function addMarket(
  page: CatalogPage,
  value: unknown,
  place: RowPlace,
  findYes: FindKnownYes,
  event?: wire.Parent,
) {
  page.read++;
  const row = readRow(page, wire.gammaMarket, value, place);
  if (!row) return undefined;
  const outcomes = row.outcomes?.length ?? 0;
  if (outcomes !== 2) {
    const reason = `outcomes must be two, got ${outcomes}`;
    leaveOut(page, { ...reject(value, place, 'outcomes', reason), expected: true });
    return undefined;
  }
  const known = findYes(marketId(row));
  const yes = keptYesPlace(row.outcomes ?? [], tokensOf(row) ?? [], known);
  if (yes === undefined) {
    leaveOut(page, rejectExchanged(value, place, 'outcomes'));
    return undefined;
  }
  const listed = listedMarket(row, yes, event ?? row.events?.[0]);
  page.markets.push(mayBeReordered(row, yes, known) ? listed : { ...listed, yes_place: yes });
  return row;
}

function marketId({ conditionId }: wire.GammaMarket): string {
  return catalogId('venue_b_global', conditionId.toLowerCase());
}

function listedMarket(row: wire.GammaMarket, yes: 0 | 1, event: wire.Parent | undefined): ListedMarket {
  const { status, venue_status, payout } = lifeOf(row, yes);
  const volume = row.volumeNum ?? row.volume;
  const native_id = row.conditionId.toLowerCase();
  const market = {
    market_id: marketId(row),
    family: 'venue_b_global' as const,
    native_id,
    question: row.question,
    status,
    venue_status,
    ...given({
      event_id: event && catalogId('venue_b_global', event.id),
      description: row.description,
      slug: row.slug,
      yes_sub_title: yesName(row.outcomes ?? [], yes),
      event_slug: event?.slug,
      price_token: tokenOf(row, yes),
      listed_at: row.createdAt,
      opens_at: row.startDate,
      closes_at: row.endDate ?? event?.endDate,
      settled_at: status === 'settled' ? row.closedTime : undefined,
      payout,
      volume,
      volume_unit: volume === undefined ? undefined : ('usd' as const),
    }),
  };
  // A closed market keeps showing its last book.
  if (status === 'settled' || status === 'closed' || row.closed) return { market };
  const last = usableTrade(row.lastTradePrice);
  const first = given({ bid: usableQuote(row.bestBid), ask: usableQuote(row.bestAsk), last, volume });
  const prices = yes === 0 ? first : otherSide(first);
  return { market, quote: { prices, has_book: row.bestBid !== undefined || row.bestAsk !== undefined } };
}

/**
 * Whether a market may have been listed in the other order before: whether the payouts of the data host, which name no
 * outcome, follow a new order is not known. The venue lists Yes first, so a known market with No first may be exchanged.
 */
function mayBeReordered(row: wire.GammaMarket, yes: 0 | 1, known: KnownYes | undefined): boolean {
  return yes !== yesPlace(row.outcomes ?? []) || (yes === 1 && known !== undefined);
}

/** The prices of the other side: its bid is a dollar less this ask, and the reverse. */
function otherSide({ bid, ask, last, ...counts }: SeenPrices): SeenPrices {
  const rest = (price: number | undefined) => (price === undefined ? undefined : roundTo(1 - price, 6));
  return { ...counts, ...given({ bid: rest(ask), ask: rest(bid), last: rest(last) }) };
}

// The version decides which of the two lists has the token ids, not which of them is present.
function tokensOf(row: wire.GammaMarket): readonly unknown[] | undefined {
  return row.version === 'v2' ? row.positionIds : row.clobTokenIds;
}

function tokenOf(row: wire.GammaMarket, yes: 0 | 1): string | undefined {
  const token = tokensOf(row)?.[yes];
  return typeof token === 'string' && token !== '' ? token : undefined;
}
