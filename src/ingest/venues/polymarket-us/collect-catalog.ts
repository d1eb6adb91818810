import { given } from '../../../model/given.ts';
import { catalogId } from '../../../model/platform.ts';
import { findMarket, hasMarket } from '../../../store/catalog/catalog.ts';
import type { BookWanted, CatalogWalk } from '../../catalog/catalog-walk.ts';
import { collectCatalog } from '../../catalog/collect-catalog.ts';
import type { Crawled, CrawlPlan } from '../../catalog/crawl.ts';
import { crawlLists } from '../../catalog/crawl-lists.ts';
import { keepPage } from '../../catalog/keep-catalog.ts';
import type { AnsweredPage, CatalogPage, ListedMarket } from '../../catalog/listed-market.ts';
import { lookUpInParts } from '../../catalog/look-up-in-parts.ts';
import { withKnownYes } from '../../catalog/yes-side.ts';
import { urlOf } from '../../wire/url.ts';
import type { VenueRun } from '../venue.ts';
import { parseEvent, parseEventsPage, parseMarketsPage } from './parse-catalog.ts';
import { settleMarkets } from './settlements.ts';

/** The event of a game has a thousand markets: more events a page would mostly exceed the size limit. */
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
    // The venue has no list of changes.
    crawl: async (walk, plan) => (plan.since === undefined ? await crawl(walk, plan, boards) : undefined),
    lookUp,
    lookUpNamed,
  });
}

// Pages in the middle of a list may be short: only an empty one ends it.
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
      const page = withKnownYes(walk.run, (findYes) => parseEventsPage(answer.json, findYes));
      const markets = await settleMarkets(walk, page.markets);
      const next = page.ids.length === 0 ? undefined : String(from + page.ids.length);
      return { ...page, markets, next, answer };
    },
    keep: (page) => keepPage(walk, page),
  });
}

// Through their events, since an event says when it closed; a market on its own does not even name its event.
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
      const answer = await feed.find({ url: urlOf(base_url, path) });
      if (!answer) return;
      const page = withKnownYes(run, (findYes) => parseEvent(answer.json, findYes));
      await settleAndKeep(walk, { ...wantedOf(walk, page), answer });
    });
  await lookUp(walk, left);
}

/**
 * Guesses the event of a game's market from its slug: kind, league, teams, day and perhaps the question. The venue's
 * answer shows whether that is right.
 *
 * @example gameOf('asc-nfl-car-ari-2026-08-06-pos-7pt5') // 'nfl-car-ari-2026-08-06'
 */
function gameOf(slug: string): string | undefined {
  return /^[a-z]+-(.+?-\d{4}-\d\d-\d\d)(?:-|$)/.exec(slug)?.[1];
}

// Only named and known markets: a game that is over has a thousand others.
function wantedOf({ run, state }: CatalogWalk, page: CatalogPage): CatalogPage {
  const markets = run.store.read((reader) =>
    page.markets.filter(
      ({ market: { market_id } }) => state.named.has(market_id) || hasMarket(reader, market_id),
    ),
  );
  return { ...page, markets, events: markets.length > 0 ? page.events : [] };
}

/** Looks up markets by their slugs. @param left those that were not found yet */
async function lookUp(walk: CatalogWalk, left: () => readonly { native_id: string }[]): Promise<void> {
  const { base_url } = walk.run.config.venues.venue_b_us;
  for (const closed of [false, true]) {
    const slugs = left().map((each) => each.native_id);
    await lookUpInParts(walk.feed, slugs, SLUGS_A_REQUEST, {
      async fetch(slug) {
        const parameters = { limit: SLUGS_A_REQUEST, closed, slug };
        const answer = await walk.feed.fetch({ url: urlOf(base_url, '/v1/markets', parameters) });
        const page = withKnownYes(walk.run, (findYes) => parseMarketsPage(answer.json, findYes));
        return { ...page, markets: page.markets.map((listed) => asKnown(walk.run, listed)), answer };
      },
      keep: (page) => settleAndKeep(walk, page),
    });
  }
}

/** Completes a market on its own with its event, its question, and what the catalog has of it from its event. */
function asKnown(run: VenueRun, listed: ListedMarket): ListedMarket {
  const known = run.store.read((reader) => findMarket(reader, listed.market.market_id));
  if (!known) return listed;
  const { question, event_id, event_slug, rules_primary, closes_at } = known;
  const fromEvent = given({ rules_primary, closes_at });
  return {
    ...listed,
    market: { ...fromEvent, ...listed.market, question, ...given({ event_id, event_slug }) },
  };
}

async function settleAndKeep(walk: CatalogWalk, page: AnsweredPage): Promise<void> {
  keepPage(walk, { ...page, markets: await settleMarkets(walk, page.markets) });
}
