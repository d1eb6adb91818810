import { chunksOf } from '../../../model/chunks.ts';
import { parseCatalogId } from '../../../model/platform.ts';
import { findEvent, hasMarket } from '../../../store/catalog/catalog.ts';
import type { CatalogWalk } from '../../catalog/catalog-walk.ts';
import { keepCatalog } from '../../catalog/keep-catalog.ts';
import type { AnsweredPage, ListedMarket } from '../../catalog/listed-market.ts';
import { lookUpInParts } from '../../catalog/look-up-in-parts.ts';
import type { Feed } from '../../feed.ts';
import { urlOf } from '../../wire/url.ts';
import { hasFailed, isTooLong } from '../../wire/venue-trouble.ts';
import type { VenueRun } from '../venue.ts';
import { parseEventsPage, parseMarketsPage } from './parse-catalog.ts';
import type { EventContext } from './questions.ts';
import { withKnownNames, withWhatIsKnown } from './what-is-known.ts';

const TICKERS_A_REQUEST = 100;
const EVENTS_A_PAGE = 200;
/** The tiers that may have a market, in the order in which they are asked. */
const TIERS = ['/markets', '/historical/markets'];

/**
 * Looks up markets by their tickers, first in the live tier and then in the historical one, to which settled markets
 * are moved, and stores what is found. The venue leaves unknown tickers out of its answer.
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
 * Stores rows of a list of markets, which do not contain their event. The question of a market depends on its event, so
 * the events of markets that are new to the catalog are read first. Markets at whose event the venue fails are left
 * out.
 *
 * @returns whether none was left out
 */
export async function keepMarkets(walk: CatalogWalk, page: AnsweredPage): Promise<boolean> {
  const { run, feed, state } = walk;
  const added = run.store.read((reader) =>
    page.markets.filter(({ market }) => !hasMarket(reader, market.market_id)),
  );
  const kept = await keepEventsOf(walk, added);
  const moved = await eventsOfMoved(walk, page, kept.markets);
  const failed = new Set([...kept.failed, ...moved.failed]);
  const leftOut = new Set(added.filter((listed) => failed.has(eventTicker(listed) ?? '')));
  for (const { market } of leftOut) feed.noteUnreadable(market.native_id);
  const reworded = new Map(
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
      .map((listed) => withKnownNames(writer, listed, reworded.get(listed.market.market_id)));
    return keepCatalog(writer, { events: [], markets }, run.now, state);
  });
  return leftOut.size === 0;
}

/** Fetches events by their tickers, with their markets, and stores what is found. */
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

/** The markets of several events, and the tickers of events that the venue failed at. */
interface KeptEvents {
  markets: ListedMarket[];
  failed: string[];
}

/** Fetches and stores events one by one. A failure at one is reported and does not stop the others. */
export async function keepEachEvent(walk: CatalogWalk, tickers: readonly string[]): Promise<KeptEvents> {
  const kept: KeptEvents = { markets: [], failed: [] };
  for (const ticker of tickers) {
    const found = await walk.feed.part(() => keepEvents(walk, [ticker]));
    if (found) kept.markets.push(...found.markets);
    else kept.failed.push(ticker);
  }
  return kept;
}

/** Fetches and stores the events of markets, many in one request or, if the venue fails at that, one by one. */
async function keepEventsOf(walk: CatalogWalk, markets: readonly ListedMarket[]): Promise<KeptEvents> {
  const kept: KeptEvents = { markets: [], failed: [] };
  const tickers = new Set(markets.flatMap((listed) => eventTicker(listed) ?? []));
  for (const chunk of chunksOf([...tickers], TICKERS_A_REQUEST))
    try {
      const found = await keepEvents(walk, chunk);
      kept.markets.push(...found.markets);
    } catch (thrown) {
      if (!hasFailed(thrown) && !isTooLong(thrown)) throw thrown;
      const found = await keepEachEvent(walk, chunk);
      kept.markets.push(...found.markets);
      kept.failed.push(...found.failed);
    }
  return kept;
}

/**
 * The events of new markets that were moved to the historical tier, and so are no longer listed in their event. Their
 * markets in that tier are counted, because the wording of a question depends on the event's number of markets.
 *
 * @returns events by ticker, and the tickers of those that the venue failed at
 */
async function eventsOfMoved(
  { run, feed }: CatalogWalk,
  page: AnsweredPage,
  nested: readonly ListedMarket[],
): Promise<{ events: Map<string, EventContext>; failed: Set<string> }> {
  const moved = run.store.read((reader) =>
    page.markets.flatMap(({ market: { market_id, event_id } }) =>
      event_id === undefined || hasMarket(reader, market_id) ? [] : (findEvent(reader, event_id) ?? []),
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

/** Fetches a page of a list of markets. */
export async function fetchMarkets(
  run: VenueRun,
  feed: Feed,
  path: string,
  parameters: Parameters<typeof urlOf>[2],
): Promise<AnsweredPage> {
  const answer = await feed.fetch({ url: urlOf(run.config.venues.venue_a.base_url, path, parameters) });
  return { ...parseMarketsPage(answer.json), answer };
}

function eventTicker({ market }: ListedMarket): string | undefined {
  return parseCatalogId(market.event_id ?? '')?.native_id;
}
