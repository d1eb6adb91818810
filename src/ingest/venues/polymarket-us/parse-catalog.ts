import type { CatalogMarket } from '../../../model/catalog.ts';
import { given } from '../../../model/given.ts';
import { usableQuote } from '../../../model/observation.ts';
import { catalogId } from '../../../model/platform.ts';
import {
  type CatalogPage,
  emptyPage,
  type ListedEvent,
  type ListedMarket,
} from '../../catalog/listed-market.ts';
import { type FindKnownYes, keptYesPlace, NONE_KNOWN, rejectExchanged } from '../../catalog/yes-side.ts';
import {
  fieldList,
  fieldText,
  leaveOut,
  type RowPlace,
  readEnvelope,
  readRow,
  reject,
} from '../../wire/wire-rows.ts';
import { statusOf } from './statuses.ts';
import * as wire from './wire.ts';

const PARLAY = 'a parlay of markets of other events is not carried';

/**
 * Parses a page of events with their markets, from the list or from the board of a league or topic. A market that is
 * known and has exchanged its sides is left out.
 */
export function parseEventsPage(json: unknown, findYes: FindKnownYes = NONE_KNOWN): CatalogPage {
  return pageOf(readEnvelope(wire.eventsPage, json).events, findYes);
}

/** Parses the answer for one event as {@link parseEventsPage} does. */
export function parseEvent(json: unknown, findYes: FindKnownYes = NONE_KNOWN): CatalogPage {
  return pageOf([readEnvelope(wire.eventAnswer, json).event], findYes);
}

/** Parses a page of `/v1/markets`, whose rows do not name their event, as {@link parseEventsPage} does. */
export function parseMarketsPage(json: unknown, findYes: FindKnownYes = NONE_KNOWN): CatalogPage {
  const page = emptyPage(undefined);
  const { markets } = readEnvelope(wire.marketsPage, json);
  for (const value of markets) page.ids.push(fieldText(value, 'slug') ?? '');
  addMarkets(page, markets, (position) => ({ position, idField: 'slug' }), findYes);
  return page;
}

function pageOf(events: readonly unknown[], findYes: FindKnownYes): CatalogPage {
  const page = emptyPage(undefined);
  for (const [position, value] of events.entries()) {
    page.read++;
    page.ids.push(fieldText(value, 'slug') ?? '');
    const event = readRow(page, wire.event, value, { position, idField: 'slug' });
    if (event) page.events.push(eventOf(event));
    // The markets of an unreadable event are read with what they need of it, if that can be read.
    const parent = event ?? wire.parent.safeParse(value).data;
    const place = (i: number) => ({ position, within: `markets.${i}`, idField: 'slug' });
    addMarkets(page, event?.markets ?? fieldList(value, 'markets'), place, findYes, parent);
  }
  return page;
}

function eventOf(row: wire.Event): ListedEvent {
  return {
    event_id: catalogId('venue_b_us', row.slug),
    family: 'venue_b_us',
    native_id: row.slug,
    title: row.title,
    slug: row.slug,
    tags: row.tags,
    ...given({
      series: row.seriesSlug,
      category: row.category,
      description: row.description,
      // The start date of a game's event is when the game starts.
      listed_at: row.createdAt ?? row.creationDate,
      closes_at: row.endDate,
      volume: row.volume,
      open_interest: row.openInterest,
    }),
  };
}

function addMarkets(
  page: CatalogPage,
  values: readonly unknown[],
  place: (i: number) => RowPlace,
  findYes: FindKnownYes,
  event?: wire.Parent,
): void {
  const askedBy = Map.groupBy(values, (value) => fieldText(value, 'question') ?? '');
  for (const [i, value] of values.entries()) {
    page.read++;
    const slug = fieldText(value, 'slug');
    if (slug?.startsWith('caoc-')) {
      leaveOut(page, { ...reject(value, place(i), 'slug', PARLAY), expected: true });
      continue;
    }
    const row = readRow(page, wire.market, value, place(i));
    if (!row) continue;
    const known = findYes(marketId(row));
    if (known && keptYesPlace(sidesOf(row), [], known) !== 0) {
      leaveOut(page, rejectExchanged(value, place(i), 'marketSides'));
      continue;
    }
    // A repeated row is no other market.
    const shared = askedBy
      .get(fieldText(value, 'question') ?? '')
      ?.some((each) => fieldText(each, 'slug') !== slug);
    const question = questionOf(row, shared || (mayBeShared(row, event) && isAnsweredYes(row)));
    if (question === undefined)
      leaveOut(page, reject(value, place(i), 'question', 'question must be a text, got nothing'));
    else page.markets.push(listedMarket(row, question, event));
  }
}

function marketId({ slug }: wire.Market): string {
  return catalogId('venue_b_us', slug);
}

// The names of both sides, the long one first.
function sidesOf({ marketSides }: wire.Market): readonly unknown[] {
  return [true, false].map((long) => marketSides?.find((side) => (side.long ?? false) === long)?.description);
}

// Whether other markets may have the same question. Without its event a market does not tell; and one whose question is
// the event's title may be the last of several that is still listed. Only markets of a game then have sides other than
// Yes and No.
function mayBeShared(row: wire.Market, event: wire.Parent | undefined): boolean {
  return event?.title === undefined || row.question === event.title;
}

const YES = /^\s*yes\s*$/i;

function isAnsweredYes({ marketSides }: Pick<wire.Market, 'marketSides'>): boolean {
  return YES.test(marketSides?.find((side) => side.long)?.description ?? '');
}

// The markets of a future all have the same question; their titles name the candidates, unless they are just "Yes".
function questionOf({ question, title }: wire.Market, shared: boolean): string | undefined {
  if (question === undefined || title === undefined) return question ?? title;
  return shared && !question.includes(title) && !YES.test(title) ? `${question} – ${title}` : question;
}

function listedMarket(row: wire.Market, question: string, event: wire.Parent | undefined): ListedMarket {
  const yesBid = row.bestBidQuote ?? row.bestBid;
  const yesAsk = row.bestAskQuote ?? row.bestAsk;
  const bid = usableQuote(yesBid);
  const ask = usableQuote(yesAsk);
  const { volume } = row;
  const market: CatalogMarket = {
    market_id: marketId(row),
    family: 'venue_b_us',
    native_id: row.slug,
    question,
    slug: row.slug,
    ...statusOf(row, bid !== undefined || ask !== undefined),
    ...given({
      event_id: event && catalogId('venue_b_us', event.slug),
      event_slug: event?.slug,
      description: row.description,
      rules_primary: row.description ?? event?.description,
      yes_sub_title: yesSubTitle(row),
      market_type: row.marketType ?? row.sportsMarketType,
      listed_at: row.createdAt,
      opens_at: row.startDate,
      // The end date of a market on an asset's price is half an hour after the end of the measured window.
      closes_at: row.assetPriceTerms?.windowEnd ?? row.endDate ?? event?.endDate,
      settled_at: event?.closed ? event.closedTime : undefined,
      volume,
      volume_unit: volume === undefined ? undefined : ('shares' as const),
    }),
  };
  if (market.status === 'closed' || market.status === 'determined') return { market };
  const has_book = yesBid !== undefined || yesAsk !== undefined;
  return { market, quote: { prices: given({ bid, ask, volume }), has_book, knows_last: false } };
}

// The Yes side is the long one, first or second. The market's title says more than a mere "Yes".
function yesSubTitle({ marketSides, title }: wire.Market): string | undefined {
  const long = marketSides?.find((side) => side.long)?.description;
  return long === undefined || isAnsweredYes({ marketSides }) ? (title ?? long) : long;
}
