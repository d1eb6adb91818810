import { chunksOf } from '../../../model/chunks.ts';
import { findEvent, findMarketStatus } from '../../../store/catalog/catalog.ts';
import type { CatalogWalk } from '../../catalog-walk.ts';
import type { Feed } from '../../feed.ts';
import { keepCatalog } from '../../keep-catalog.ts';
import type { AnsweredPage, ListedMarket } from '../../listed-market.ts';
import { lookUpInParts } from '../../look-up-in-parts.ts';
import { urlOf } from '../../wire/url.ts';
import { hasFailed, isTooLong } from '../../wire/venue-trouble.ts';
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
 * the events of markets that are new to the catalog are read first. Those whose event the venue fails at are left out.
 *
 * @returns whether none was left out
 */
export async function keepMarkets(walk: CatalogWalk, page: AnsweredPage): Promise<boolean> {
  const { run, feed, state } = walk;
  const isNew = run.store.read((reader) =>
    page.markets.filter(({ market }) => findMarketStatus(reader, market.market_id) === undefined),
  );
  const events = new Set(isNew.flatMap(({ market }) => nativeEvent(market.event_id)));
  const nested: ListedMarket[] = [];
  const failed = new Set<string>();
  for (const chunk of chunksOf([...events], TICKERS_A_REQUEST)) {
    const found = await keepEventsInParts(walk, chunk);
    nested.push(...found.markets);
    for (const ticker of found.failed) failed.add(ticker);
  }
  const moved = await eventsOfMoved(walk, page, nested);
  for (const ticker of moved.failed) failed.add(ticker);
  const leftOut = new Set(
    isNew.filter(({ market }) => nativeEvent(market.event_id).some((id) => failed.has(id))),
  );
  for (const { market } of leftOut) feed.unreadable.add(market.native_id.toLowerCase());
  const asked = new Map(
    moved.events.size === 0
      ? []
      : parseMarketsPage(page.answer.json, moved.events).markets.map(({ market }) => [
          market.market_id,
          market,
        ]),
  );
  feed.keep(page.answer, page, (writer) => {
    const markets = page.markets
      .filter((listed) => !leftOut.has(listed))
      .map((listed) => withKnownNames(writer, listed, asked.get(listed.market.market_id)));
    return keepCatalog(writer, { events: [], markets }, run.now, state);
  });
  return leftOut.size === 0;
}

/** Asks for events by their tickers, with their markets, and keeps what is found. */
async function keepEvents(
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

/** What asking for several events found, and the tickers of those that the venue failed at. */
interface KeptEvents {
  markets: ListedMarket[];
  failed: string[];
}

/** The same one by one: an event that the venue fails at is told, and keeps none of the others waiting. */
export async function keepEachEvent(walk: CatalogWalk, tickers: readonly string[]): Promise<KeptEvents> {
  const kept: KeptEvents = { markets: [], failed: [] };
  for (const ticker of tickers) {
    const found = await walk.feed.part(() => keepEvents(walk, [ticker]));
    if (found) kept.markets.push(...found.markets);
    else kept.failed.push(ticker);
  }
  return kept;
}

/** The same together or, where the venue fails at that, one by one. */
async function keepEventsInParts(walk: CatalogWalk, tickers: readonly string[]): Promise<KeptEvents> {
  try {
    return { markets: (await keepEvents(walk, tickers)).markets, failed: [] };
  } catch (thrown) {
    if (!hasFailed(thrown) && !isTooLong(thrown)) throw thrown;
    return await keepEachEvent(walk, tickers);
  }
}

/**
 * The events of new markets that they no longer list, because these were moved to the historical tier: for their
 * questions to be made as those of the others are, their markets there are counted.
 *
 * @returns by the event's ticker, and the tickers of those that the venue fails at
 */
async function eventsOfMoved(
  { run, feed }: CatalogWalk,
  page: AnsweredPage,
  nested: readonly ListedMarket[],
): Promise<{ events: Map<string, EventContext>; failed: Set<string> }> {
  const moved = run.store.read((reader) =>
    page.markets.flatMap(({ market: { market_id, event_id } }) =>
      event_id === undefined || findMarketStatus(reader, market_id)
        ? []
        : (findEvent(reader, event_id) ?? []),
    ),
  );
  const events = new Map<string, EventContext>();
  const failed = new Set<string>();
  for (const { event_id, native_id, title, series } of moved) {
    if (events.has(native_id) || failed.has(native_id)) continue;
    const listed = nested.filter(({ market }) => market.event_id === event_id).length;
    const there = await feed.part(() =>
      fetchMarkets(run, feed, '/historical/markets', { event_ticker: native_id, limit: 2 }),
    );
    if (!there) {
      failed.add(native_id);
      continue;
    }
    feed.keep(there.answer, { read: 0, rejections: [] });
    events.set(native_id, { title, series: series ?? undefined, markets: listed + there.read });
  }
  return { events, failed };
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
