import { given } from '../../../model/given.ts';
import { catalogId } from '../../../model/platform.ts';
import { findMarket, findMarketStatus } from '../../../store/catalog/catalog.ts';
import type { BookWanted, CatalogWalk } from '../../catalog-walk.ts';
import { collectCatalog } from '../../collect-catalog.ts';
import type { Crawled, CrawlPlan } from '../../crawl.ts';
import { crawlLists } from '../../crawl-lists.ts';
import { keepPage } from '../../keep-catalog.ts';
import type { AnsweredPage, CatalogPage, ListedMarket } from '../../listed-market.ts';
import { lookUpInParts } from '../../look-up-in-parts.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { parseEvent, parseEventsPage, parseMarketsPage } from './parse-catalog.ts';
import { settleMarkets } from './settlements.ts';

/** An event of a game holds a thousand markets: more a page would mostly pass what an answer may be. */
const EVENTS_A_PAGE = 20;
const SLUGS_A_REQUEST = 50;

/** Reads the open events with their markets, then the named markets that are not among them. */
export function collectEvents(run: VenueRun): Promise<BookWanted[]> {
  const { leagues, tags, market_types } = run.config.venues.venue_b_us;
  const boards = [
    ...leagues.map((league) => `/v2/leagues/${encodeURIComponent(league)}/events`),
    ...tags.map((tag) => `/v2/tags/${encodeURIComponent(tag)}/events`),
  ];
  return collectCatalog(run, {
    feed: 'venue_b_us/events',
    family: 'venue_b_us',
    scope: [...market_types, ...boards],
    // The venue does not tell what changed.
    crawl: async (walk, plan) => (plan.since === undefined ? await crawl(walk, plan, boards) : undefined),
    lookUp,
    lookUpNamed,
  });
}

// Pages may be short in the middle of the list: only an empty one ends it.
function crawl(walk: CatalogWalk, plan: CrawlPlan, boards: readonly string[]): Promise<Crawled | undefined> {
  const { base_url, market_types } = walk.run.config.venues.venue_b_us;
  const filter = boards.length > 0 ? {} : { closed: false };
  return crawlLists(walk, plan, {
    lists: boards.length > 0 ? boards : [undefined],
    fetchPage: async (board, cursor) => {
      const from = Number(cursor ?? 0);
      const answer = await walk.feed.fetchRows(EVENTS_A_PAGE, (limit) => {
        const parameters = { ...filter, limit, offset: from, marketTypes: market_types };
        return { url: urlOf(base_url, board ?? '/v1/events', parameters) };
      });
      const page = parseEventsPage(answer.json);
      const markets = await settleMarkets(walk, page.markets);
      const next = page.ids.length === 0 ? undefined : String(from + page.ids.length);
      return { ...page, markets, next, answer };
    },
    keep: (page) => keepPage(walk, page),
  });
}

// The event of a market says when it closed; a market on its own does not even name its event.
async function lookUpNamed(walk: CatalogWalk, left: () => readonly { native_id: string }[]): Promise<void> {
  const { run, feed } = walk;
  const { base_url } = run.config.venues.venue_b_us;
  const events = run.store.read((reader) =>
    left().flatMap(
      ({ native_id }) =>
        findMarket(reader, catalogId('venue_b_us', native_id))?.event_slug ?? gameOf(native_id) ?? [],
    ),
  );
  for (const slug of new Set(events))
    await feed.part(async () => {
      const path = `/v1/events/slug/${encodeURIComponent(slug)}`;
      const answer = await feed.find({ url: urlOf(base_url, path, {}) });
      if (answer) await settleAndKeep(walk, { ...wantedOf(run, parseEvent(answer.json)), answer });
    });
  await lookUp(walk, left);
}

/**
 * The event of a game's market, as far as its own slug tells: kind, league, teams, day and, perhaps, what is asked.
 * The venue's answer says whether it is so.
 *
 * @example gameOf('asc-nfl-car-ari-2026-08-06-pos-7pt5') // 'nfl-car-ari-2026-08-06'
 */
function gameOf(slug: string): string | undefined {
  return /^[a-z]+-(.+?-\d{4}-\d\d-\d\d)(?:-|$)/.exec(slug)?.[1];
}

// A game that is over has a thousand markets that nobody asked for.
function wantedOf(run: VenueRun, page: CatalogPage): CatalogPage {
  const named = new Set(run.named.map(({ market_id }) => market_id));
  const markets = run.store.read((reader) =>
    page.markets.filter(
      ({ market: { market_id } }) =>
        named.has(market_id) || findMarketStatus(reader, market_id) !== undefined,
    ),
  );
  return { ...page, markets, events: markets.length > 0 ? page.events : [] };
}

/** Asks for markets by their slugs, those that are not found yet. */
async function lookUp(walk: CatalogWalk, left: () => readonly { native_id: string }[]): Promise<void> {
  const { base_url } = walk.run.config.venues.venue_b_us;
  for (const closed of [false, true]) {
    const slugs = left().map((each) => each.native_id);
    await lookUpInParts(walk.feed, slugs, SLUGS_A_REQUEST, {
      async fetch(slug) {
        const parameters = { limit: SLUGS_A_REQUEST, closed, slug };
        const answer = await walk.feed.fetch({ url: urlOf(base_url, '/v1/markets', parameters) });
        const page = parseMarketsPage(answer.json);
        return { ...page, markets: page.markets.map((listed) => asKnown(walk.run, listed)), answer };
      },
      keep: (page) => settleAndKeep(walk, page),
    });
  }
}

/** A market on its own, with its event and with the question that the catalog made beside its siblings. */
function asKnown(run: VenueRun, listed: ListedMarket): ListedMarket {
  const known = run.store.read((reader) => findMarket(reader, listed.market.market_id));
  if (!known) return listed;
  const { question, event_id, event_slug } = known;
  const event = given({ event_id, event_slug });
  return { ...listed, market: { ...listed.market, question, ...event } };
}

async function settleAndKeep(walk: CatalogWalk, page: AnsweredPage): Promise<void> {
  keepPage(walk, { ...page, markets: await settleMarkets(walk, page.markets) });
}
