import { chunksOf } from '../../../model/chunks.ts';
import { findEvent, findMarketStatus } from '../../../store/catalog/catalog.ts';
import type { CatalogWalk } from '../../catalog-walk.ts';
import type { Feed } from '../../feed.ts';
import { keepCatalog } from '../../keep-catalog.ts';
import type { AnsweredPage, ListedMarket } from '../../listed-market.ts';
import { lookUpInParts } from '../../look-up-in-parts.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { parseEventsPage, parseMarketsPage } from './parse-catalog.ts';
import type { EventContext } from './questions.ts';
import { withKnownNames, withWhatIsKnown } from './what-is-known.ts';

const TICKERS_A_REQUEST = 100;
const EVENTS_A_PAGE = 200;
/** The tiers that hold a market, in the order in which they are asked. */
const TIERS = ['/markets', '/historical/markets'];

/**
 * Asks for markets by their tickers, first the live tier and then the one that settled markets are moved to,
 * and keeps what is found. A ticker that the venue does not know is left out of its answer.
 */
export async function lookUpMarkets(
  walk: CatalogWalk,
  markets: readonly { native_id: string }[],
): Promise<void> {
  let left = markets.map((each) => each.native_id);
  for (const tier of TIERS) {
    const found = new Set<string>();
    await lookUpInParts(walk.feed, left, TICKERS_A_REQUEST, {
      fetch(tickers) {
        const parameters = { tickers: tickers.join(','), limit: TICKERS_A_REQUEST };
        return fetchMarkets(walk.run, walk.feed, tier, parameters);
      },
      async keep(page) {
        for (const { market } of page.markets) found.add(market.native_id);
        await keepMarkets(walk, page);
      },
    });
    left = left.filter((ticker) => !found.has(ticker));
  }
}

/**
 * Keeps rows of a list of markets, which do not hold their event. The question of a market needs its event, so
 * the events of markets that are new to the catalog are read first.
 */
export async function keepMarkets(walk: CatalogWalk, page: AnsweredPage): Promise<void> {
  const { run, feed, state } = walk;
  const isNew = run.store.read((reader) =>
    page.markets.filter(({ market }) => findMarketStatus(reader, market.market_id) === undefined),
  );
  const events = new Set(isNew.flatMap(({ market }) => nativeEvent(market.event_id)));
  const nested: ListedMarket[] = [];
  for (const chunk of chunksOf([...events], TICKERS_A_REQUEST)) {
    const found = await keepEvents(walk, chunk);
    nested.push(...found.markets);
  }
  const moved = await eventsOfMoved(walk, page, nested);
  const asked = new Map(
    moved.size === 0
      ? []
      : parseMarketsPage(page.answer.json, moved).markets.map(({ market }) => [market.market_id, market]),
  );
  feed.keep(page.answer, page, (writer) => {
    const markets = page.markets.map((listed) =>
      withKnownNames(writer, listed, asked.get(listed.market.market_id)),
    );
    return keepCatalog(writer, { events: [], markets }, run.now, state);
  });
}

/** Asks for events by their tickers, with their markets, and keeps what is found. */
export async function keepEvents(
  { run, feed, state }: CatalogWalk,
  tickers: readonly string[],
): Promise<AnsweredPage> {
  const { base_url } = run.config.venues.venue_a;
  const parameters = { tickers: tickers.join(','), limit: EVENTS_A_PAGE, with_nested_markets: true };
  const answer = await feed.fetch({ url: urlOf(base_url, '/events', parameters) });
  const found = { ...parseEventsPage(answer.json), answer };
  feed.keep(answer, found, (writer) => keepCatalog(writer, withWhatIsKnown(writer, found), run.now, state));
  return found;
}

/**
 * The events of new markets that they no longer list, because these were moved to the historical tier: for their
 * questions to be made as those of the others are, their markets there are counted.
 *
 * @returns by the event's ticker
 */
async function eventsOfMoved(
  { run, feed }: CatalogWalk,
  page: AnsweredPage,
  nested: readonly ListedMarket[],
): Promise<Map<string, EventContext>> {
  const moved = run.store.read((reader) =>
    page.markets.flatMap(({ market: { market_id, event_id } }) =>
      event_id === undefined || findMarketStatus(reader, market_id)
        ? []
        : (findEvent(reader, event_id) ?? []),
    ),
  );
  const events = new Map<string, EventContext>();
  for (const { event_id, native_id, title, series } of moved) {
    if (events.has(native_id)) continue;
    const listed = nested.filter(({ market }) => market.event_id === event_id).length;
    const there = await fetchMarkets(run, feed, '/historical/markets', { event_ticker: native_id, limit: 2 });
    feed.keep(there.answer, { read: 0, rejections: [] });
    events.set(native_id, { title, series: series ?? undefined, markets: listed + there.read });
  }
  return events;
}

/** Asks for a page of a list of markets. */
export async function fetchMarkets(
  run: VenueRun,
  feed: Feed,
  path: string,
  parameters: Parameters<typeof urlOf>[2],
): Promise<AnsweredPage> {
  const answer = await feed.fetch({ url: urlOf(run.config.venues.venue_a.base_url, path, parameters) });
  return { ...parseMarketsPage(answer.json), answer };
}

function nativeEvent(eventId: string | undefined): string[] {
  return eventId === undefined ? [] : [eventId.slice('venue_a:'.length)];
}
