import type { PolymarketEvent, PolymarketMarket } from '../catalog.ts';
import { tokenIds } from '../catalog.ts';
import {
  type Ask,
  type Dialect,
  ok,
  type Reply,
  readCursor,
  readInteger,
  takePage,
  writeCursor,
} from '../http/route.ts';
import { volumeAt } from '../truth/trades.ts';
import type { World } from '../world.ts';
import { gammaEvent, gammaMarket, isClosed, tagId, tagRow } from './gamma-rows.ts';
import { displayPrice, type MarketState, stateAt } from './polymarket-state.ts';

/** Gamma, Polymarket Global's catalog. */
export const polymarketGamma: Dialect = {
  prefix: '/gamma',
  routes: [
    { method: 'GET', path: '/events/keyset', answer: answerEvents },
    { method: 'GET', path: '/events/slug/:slug', answer: answerEvent },
    { method: 'GET', path: '/events/:id', answer: answerEvent },
    { method: 'GET', path: '/markets/keyset', answer: answerMarkets },
    { method: 'GET', path: '/markets/slug/:slug', answer: answerMarket },
    { method: 'GET', path: '/markets/:id', answer: answerMarket },
    { method: 'GET', path: '/tags', answer: answerTags },
  ],
  notFound: () => gammaError(404, 'not found error', 'not found'),
};

const MOST_IDS = 100;

/** Error body of Gamma. */
function gammaError(status: number, type: string, error: string): Reply {
  return { status, body: { type, error } };
}

function invalid(message: string): Reply {
  return gammaError(422, 'validation error', message);
}

interface Keyset {
  from: number;
  limit: number;
  closed: boolean;
  order: string[];
  ascending: boolean;
}

function readKeyset(ask: Ask, fallback: number, most: number, orders: readonly string[]): Keyset | Reply {
  if (ask.query.has('offset')) return invalid('offset is not supported, use after_cursor');
  const limit = readInteger(ask.query, 'limit', fallback);
  if (limit === undefined || limit < 1) return invalid('limit is invalid');
  const from = readCursor(ask.query.get('after_cursor'));
  if (from === undefined) return invalid('after_cursor is invalid');
  const order = (ask.query.get('order') ?? '').split(',').filter((name) => name !== '');
  if (order.some((name) => !orders.includes(name))) return invalid('order fields are not valid');
  return {
    from,
    limit: Math.min(limit, most),
    closed: ask.query.get('closed') === 'true',
    order,
    ascending: ask.query.get('ascending') !== 'false',
  };
}

// Flat repeated keys are read; the bracket form is not looked at, as on the real host.
function readArray(ask: Ask, name: string): Set<string> | undefined | Reply {
  const values = ask.query.getAll(name);
  if (values.length > MOST_IDS) return invalid(`${name} must contain at most ${MOST_IDS} items`);
  return values.length === 0 ? undefined : new Set(values);
}

function isReply(value: object | undefined): value is Reply {
  return value !== undefined && 'status' in value;
}

const EVENT_ORDERS: Record<string, (world: World, event: PolymarketEvent) => number> = {
  volume24hr: (world, event) => sumStates(world, event, (state) => volume24(world, state)),
  liquidity: (world, event) => sumStates(world, event, ({ desk }) => desk.habits.liquidity),
  endDate: (_world, event) => event.truth.known_at,
  competitive: (world, event) => sumStates(world, event, ({ desk }) => displayPrice(desk, world.now()) ?? 0),
  closedTime: (_world, event) => event.truth.known_at,
};

const MARKET_ORDERS: Record<string, (world: World, state: MarketState) => number> = {
  volume: (world, { desk }) => volumeAt(desk, world.now()),
  volume24hr: volume24,
  liquidity: (_world, { desk }) => desk.habits.liquidity,
  liquidityNum: (_world, { desk }) => desk.habits.liquidity,
  startDate: (_world, { desk }) => desk.life.open_at,
  endDate: (_world, { desk }) => desk.life.close_at,
  closedTime: (_world, { desk }) => desk.life.finalized_at,
  spread: (_world, { quote }) => (quote.ask ?? 10_000) - (quote.bid ?? 0),
  lastTradePrice: (_world, { last }) => last ?? 0,
  bestBid: (_world, { quote }) => quote.bid ?? 0,
  bestAsk: (_world, { quote }) => quote.ask ?? 10_000,
  competitive: (world, { desk }) => displayPrice(desk, world.now()) ?? 0,
};

function volume24(world: World, { desk }: MarketState): number {
  return volumeAt(desk, world.now()) - volumeAt(desk, world.now() - 86_400_000);
}

function sumStates(world: World, event: PolymarketEvent, value: (state: MarketState) => number): number {
  return event.markets.reduce((sum, market) => sum + value(stateAt(world, market, world.now())), 0);
}

function sorted<Row>(rows: Row[], keyset: Keyset, key: (row: Row, order: string) => number): Row[] {
  if (keyset.order.length === 0) return rows;
  const sign = keyset.ascending ? 1 : -1;
  return rows
    .map((row, i) => ({ row, i, keys: keyset.order.map((order) => key(row, order)) }))
    .sort((a, b) => {
      for (const [i, value] of a.keys.entries()) {
        const difference = value - (b.keys[i] ?? 0);
        if (difference !== 0) return sign * difference;
      }
      return a.i - b.i;
    })
    .map(({ row }) => row);
}

// The cursor is there only when the page is full.
function keysetBody(name: string, rows: unknown[], next: number | undefined): Reply {
  return ok({ [name]: rows, ...(next === undefined ? {} : { next_cursor: writeCursor(next) }) });
}

function answerEvents(world: World, ask: Ask): Reply {
  const keyset = readKeyset(ask, 20, 500, Object.keys(EVENT_ORDERS));
  if (isReply(keyset)) return keyset;
  const ids = readArray(ask, 'id');
  const slugs = readArray(ask, 'slug');
  const tags = readArray(ask, 'tag_id');
  if (isReply(ids)) return ids;
  if (isReply(slugs)) return slugs;
  if (isReply(tags)) return tags;
  const tagSlug = ask.query.get('tag_slug');
  const startMin = Date.parse(ask.query.get('start_date_min') ?? '1970-01-01');
  if (Number.isNaN(startMin)) return invalid('start_date_min is invalid');
  const rows = sorted(world.catalog.polymarket.event_list, keyset, (event, order) =>
    (EVENT_ORDERS[order] ?? (() => 0))(world, event),
  );
  const { page, next } = takePage(rows, keyset.from, keyset.limit, (event) => {
    if (world.now() < event.truth.listed_at || event.truth.listed_at < startMin) return false;
    if (ids !== undefined && !ids.has(event.id)) return false;
    if (slugs !== undefined && !slugs.has(event.face.slug)) return false;
    if (tags !== undefined && !event.face.tags.some((tag) => tags.has(tagId(tag)))) return false;
    if (tagSlug !== null && !event.face.tags.includes(tagSlug)) return false;
    return isClosed(world, event) === keyset.closed;
  });
  return keysetBody(
    'events',
    page.map((event) => gammaEvent(world, event)),
    next,
  );
}

function answerMarkets(world: World, ask: Ask): Reply {
  const keyset = readKeyset(ask, 20, 100, Object.keys(MARKET_ORDERS));
  if (isReply(keyset)) return keyset;
  const conditions = readArray(ask, 'condition_ids');
  const tokens = readArray(ask, 'clob_token_ids');
  const slugs = readArray(ask, 'slug');
  const ids = readArray(ask, 'id');
  const tags = readArray(ask, 'tag_id');
  for (const list of [conditions, tokens, slugs, ids, tags]) if (isReply(list)) return list;
  const has = (list: Set<string> | undefined | Reply, value: string) =>
    list === undefined || isReply(list) || list.has(value);
  const tagSlug = ask.query.get('tag_slug');
  const scan =
    conditions instanceof Set
      ? [...conditions].flatMap((id) => world.catalog.polymarket.markets.get(id) ?? [])
      : world.catalog.polymarket.market_list;
  const rows = sorted(scan, keyset, (market, order) =>
    (MARKET_ORDERS[order] ?? (() => 0))(world, stateAt(world, market, world.now())),
  );
  const { page, next } = takePage(rows, keyset.from, keyset.limit, (market) => {
    if (!has(slugs, market.slug) || !has(ids, market.id)) return false;
    if (tokens !== undefined && !tokenIds(market).some((token) => has(tokens, token))) return false;
    const { tags: own } = market.event.face;
    if (tags !== undefined && !own.some((tag) => has(tags, tagId(tag)))) return false;
    if (tagSlug !== null && !own.includes(tagSlug)) return false;
    const state = stateAt(world, market, world.now());
    return state.listed && (state.resolution === 'resolved') === keyset.closed;
  });
  return keysetBody(
    'markets',
    page.map((market) => gammaMarket(world, market)),
    next,
  );
}

function answerEvent(world: World, ask: Ask): Reply {
  const { events, event_list } = world.catalog.polymarket;
  const { id, slug } = ask.params;
  if (id !== undefined && !/^\d+$/.test(id)) return invalid('id is invalid');
  const event = id === undefined ? event_list.find(({ face }) => face.slug === slug) : events.get(id);
  if (event === undefined || world.now() < event.truth.listed_at) {
    return gammaError(404, 'not found error', 'id not found');
  }
  return ok(gammaEvent(world, event));
}

function answerMarket(world: World, ask: Ask): Reply {
  const { id, slug } = ask.params;
  if (id !== undefined && !/^\d+$/.test(id)) return invalid('id is invalid');
  const market = world.catalog.polymarket.market_list.find((row: PolymarketMarket) =>
    id === undefined ? row.slug === slug : row.id === id,
  );
  if (market === undefined || world.now() < market.contract.event.listed_at) {
    return gammaError(404, 'not found error', 'id not found');
  }
  return ok(gammaMarket(world, market));
}

function answerTags(world: World, ask: Ask): Reply {
  const limit = readInteger(ask.query, 'limit', 100);
  const offset = readInteger(ask.query, 'offset', 0);
  if (limit === undefined || offset === undefined) return invalid('limit is invalid');
  const slugs = [...new Set(world.catalog.polymarket.event_list.flatMap(({ face }) => face.tags))].sort();
  return ok(slugs.slice(offset, offset + limit).map(tagRow));
}
