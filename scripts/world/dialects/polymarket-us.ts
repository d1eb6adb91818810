import { DAY, HOUR } from '../calendar.ts';
import { openDesk } from '../catalog.ts';
import { type Ask, type Dialect, isReply, ok, type Reply, readInteger } from '../http/route.ts';
import { payoutOf } from '../truth/contracts.ts';
import { quoteAt } from '../truth/quotes.ts';
import { findLastTrade, openInterestAt, volumeAt } from '../truth/trades.ts';
import type { UsEvent, UsMarket } from '../us-catalog.ts';
import type { World } from '../world.ts';
import { answerPriceHistory } from './us-prices.ts';
import { isUsClosed, usd, usError, usEvent, usMarket, usStatus } from './us-rows.ts';

/** Polymarket's exchange in the United States. */
export const polymarketUs: Dialect = {
  prefix: '/us',
  routes: [
    { method: 'GET', path: '/v1/events', answer: (world, ask) => answerEvents(world, ask, () => true) },
    { method: 'GET', path: '/v1/events/slug/:slug', answer: answerEvent },
    { method: 'GET', path: '/v1/markets', answer: answerMarkets },
    { method: 'GET', path: '/v1/markets/:slug/bbo', answer: answerBestQuote },
    { method: 'GET', path: '/v1/markets/:slug/settlement', answer: answerSettlement },
    { method: 'GET', path: '/v1/price-history', answer: answerPriceHistory },
    {
      method: 'GET',
      path: '/v2/leagues/:board/events',
      answer: (world, ask) => answerBoard(world, ask, 'league'),
    },
    {
      method: 'GET',
      path: '/v2/tags/:board/events',
      answer: (world, ask) => answerBoard(world, ask, 'topic'),
    },
  ],
  notFound: () => usError(404, 5, 'Not Found'),
};

const MOST_A_PAGE = 100;
const SETTLED_AT = 21 * HOUR;

interface Window {
  from: number;
  limit: number;
}

function readWindow(ask: Ask): Window | Reply {
  const limit = readInteger(ask.query, 'limit', 20);
  const offset = readInteger(ask.query, 'offset', 0);
  if (limit === undefined || offset === undefined || limit < 1 || offset < 0)
    return usError(400, 3, 'limit and offset must be whole numbers');
  return { from: offset, limit: Math.min(limit, MOST_A_PAGE) };
}

// Every third page is one row short, even inside the list: only an empty page is the end.
function pageOf<Row>(rows: readonly Row[], { from, limit }: Window): Row[] {
  const short = Math.floor(from / limit) % 3 === 1 && limit > 1 ? 1 : 0;
  return rows.slice(from, from + limit - short);
}

function isListed(world: World, { truth }: UsEvent): boolean {
  return world.now() >= truth.listed_at;
}

function answerEvents(world: World, ask: Ask, passes: (event: UsEvent) => boolean): Reply {
  const window = readWindow(ask);
  if (isReply(window)) return window;
  const closed = ask.query.get('closed');
  const types = new Set(ask.query.getAll('marketTypes'));
  const rows = world.catalog.us.event_list.filter(
    (event) =>
      isListed(world, event) &&
      passes(event) &&
      (closed === null || isUsClosed(world, event) === (closed === 'true')),
  );
  return ok({ events: pageOf(rows, window).map((event) => usEvent(world, event, types)) });
}

// A board shows open events only; it has no filter for closed ones.
function answerBoard(world: World, ask: Ask, kind: 'league' | 'topic'): Reply {
  const { board } = ask.params;
  return answerEvents(
    world,
    ask,
    (event) => event.board.kind === kind && event.board.slug === board && !isUsClosed(world, event),
  );
}

function answerEvent(world: World, ask: Ask): Reply {
  const event = world.catalog.us.events.get(ask.params.slug ?? '');
  if (event === undefined || !isListed(world, event)) return usError(404, 5, 'event not found');
  return ok({ event: usEvent(world, event, new Set()) });
}

function findListed(world: World, ask: Ask): UsMarket | undefined {
  const market = world.catalog.us.markets.get(ask.params.slug ?? '');
  return market !== undefined && isListed(world, market.event) ? market : undefined;
}

function answerMarkets(world: World, ask: Ask): Reply {
  const window = readWindow(ask);
  if (isReply(window)) return window;
  const slugs = ask.query.getAll('slug');
  const closed = ask.query.get('closed');
  const { markets } = world.catalog.us;
  const asked = slugs.length === 0 ? [...markets.values()] : slugs.flatMap((slug) => markets.get(slug) ?? []);
  const rows = asked.filter((market) => {
    if (!isListed(world, market.event)) return false;
    const over = world.now() >= openDesk(world.truth, market.contract).life.close_at;
    return closed === null || over === (closed === 'true');
  });
  return ok({ markets: pageOf(rows, window).map((market) => usMarket(world, market)) });
}

function answerBestQuote(world: World, ask: Ask): Reply {
  const market = findListed(world, ask);
  if (market === undefined) return usError(404, 5, 'market not found');
  const now = world.now();
  const desk = openDesk(world.truth, market.contract);
  const { bid, ask: offer, bid_size = 0, ask_size = 0 } = quoteAt(desk, now);
  const last = findLastTrade(desk, now);
  return ok({
    marketData: {
      marketSlug: market.slug,
      ...(bid === undefined ? {} : { bestBid: usd(bid) }),
      ...(offer === undefined ? {} : { bestAsk: usd(offer) }),
      bidShares: String(bid_size / 100),
      askShares: String(ask_size / 100),
      ...(last === undefined ? {} : { lastTradePx: usd(last.price) }),
      sharesTraded: String((volumeAt(desk, now) - volumeAt(desk, sessionStart(now))) / 100),
      openInterest: String(openInterestAt(desk, now) / 100),
      state: usStatus(desk, now),
    },
  });
}

// A session ends with the daily settlement at 21:00 UTC.
function sessionStart(now: number): number {
  return Math.floor((now - SETTLED_AT) / DAY) * DAY + SETTLED_AT;
}

function answerSettlement(world: World, ask: Ask): Reply {
  const market = findListed(world, ask);
  const settled =
    market !== undefined && world.now() >= openDesk(world.truth, market.contract).life.finalized_at;
  if (!settled) return usError(404, 5, 'Settlement not found');
  return ok({ slug: market.slug, settlement: payoutOf(world.truth, market.contract) });
}
