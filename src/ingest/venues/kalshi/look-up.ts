import type { CatalogEvent } from '../../../model/catalog.ts';
import { findMarketStatus, findQuestion } from '../../../store/catalog.ts';
import { findSeries } from '../../../store/series.ts';
import type { Reader } from '../../../store/store.ts';
import type { Feed } from '../../feed.ts';
import { keepCatalog, type NamedSeen } from '../../keep-catalog.ts';
import type { CatalogPage, ListedMarket } from '../../listed-market.ts';
import type { Answer } from '../../request.ts';
import { chunksOf, urlOf } from '../../url.ts';
import type { VenueRun } from '../venue.ts';
import { parseEventsPage, parseMarketsPage } from './parse-catalog.ts';

const TICKERS_A_REQUEST = 100;
const EVENTS_A_PAGE = 200;
/** The tiers that hold a market, in the order in which they are asked. */
const TIERS = ['/markets', '/historical/markets'];

export type Answered = CatalogPage & { answer: Answer };

/**
 * Asks for markets by their tickers, first the live tier and then the one that settled markets are moved to,
 * and keeps what is found. A ticker that the venue does not know is left out of its answer.
 */
export async function lookUpMarkets(
  run: VenueRun,
  feed: Feed,
  tickers: readonly string[],
  names: NamedSeen,
): Promise<void> {
  let left = tickers;
  for (const tier of TIERS) {
    const found = new Set<string>();
    for (const chunk of chunksOf(left, TICKERS_A_REQUEST)) {
      const parameters = { tickers: chunk.join(','), limit: TICKERS_A_REQUEST };
      const page = await fetchMarkets(run, feed, tier, parameters);
      for (const { market } of page.markets) found.add(market.native_id);
      await keepMarkets(run, feed, page, names);
    }
    left = left.filter((ticker) => !found.has(ticker));
  }
}

/**
 * Keeps rows of a list of markets, which do not hold their event. The question of a market needs its event, so
 * the events of markets that are new to the catalog are read first.
 */
export async function keepMarkets(
  run: VenueRun,
  feed: Feed,
  page: Answered,
  names: NamedSeen,
): Promise<void> {
  const isNew = run.store.read((reader) =>
    page.markets.filter(({ market }) => findMarketStatus(reader, market.market_id) === undefined),
  );
  const events = new Set(isNew.flatMap(({ market }) => nativeEvent(market.event_id)));
  for (const chunk of chunksOf([...events], TICKERS_A_REQUEST)) {
    const parameters = { tickers: chunk.join(','), limit: EVENTS_A_PAGE, with_nested_markets: true };
    keepPage(run, feed, await fetchEvents(run, feed, parameters), names);
  }
  feed.keep(page.answer, page, (writer) => {
    const markets = page.markets.map((listed) => withKnownQuestion(writer, listed));
    return keepCatalog(writer, { events: [], markets }, run.now, names);
  });
}

function keepPage(run: VenueRun, feed: Feed, page: Answered, names: NamedSeen): void {
  feed.keep(page.answer, page, (writer) =>
    keepCatalog(writer, withSeriesCategories(writer, page), run.now, names),
  );
}

/** A page of events with the categories of their series: the venue maintains those alone. */
export function withSeriesCategories(reader: Reader, page: CatalogPage): CatalogPage {
  return { ...page, events: page.events.map((event) => withSeriesCategory(reader, event)) };
}

function withSeriesCategory(reader: Reader, event: CatalogEvent): CatalogEvent {
  const { series } = event;
  const category = series === undefined ? undefined : findSeries(reader, 'venue_a', series)?.category;
  return category === undefined ? event : { ...event, category };
}

/** Asks for a page of a list of markets. */
export async function fetchMarkets(
  run: VenueRun,
  feed: Feed,
  path: string,
  parameters: Parameters<typeof urlOf>[2],
): Promise<Answered> {
  const answer = await feed.fetch({ url: urlOf(run.config.venues.venue_a.base_url, path, parameters) });
  return { ...parseMarketsPage(answer.json), answer };
}

async function fetchEvents(
  run: VenueRun,
  feed: Feed,
  parameters: Parameters<typeof urlOf>[2],
): Promise<Answered> {
  const answer = await feed.fetch({ url: urlOf(run.config.venues.venue_a.base_url, '/events', parameters) });
  return { ...parseEventsPage(answer.json), answer };
}

/** A row without its event, with the question that the catalog made with it. */
export function withKnownQuestion(reader: Reader, listed: ListedMarket): ListedMarket {
  const question = findQuestion(reader, listed.market.market_id);
  return question === undefined ? listed : { ...listed, market: { ...listed.market, question } };
}

function nativeEvent(eventId: string | undefined): string[] {
  return eventId === undefined ? [] : [eventId.slice('venue_a:'.length)];
}
