import {
  type Ask,
  type Dialect,
  isReply,
  ok,
  type Reply,
  readCursor,
  readInteger,
  takePage,
  writeCursor,
} from '../http/route.ts';
import type { World } from '../world.ts';
import { gammaEvent, gammaMarket, isClosed } from './gamma-rows.ts';
import { stateAt } from './polymarket-state.ts';

/** Gamma, the catalog of Polymarket Global. */
export const polymarketGamma: Dialect = {
  prefix: '/gamma',
  routes: [
    { method: 'GET', path: '/events/keyset', answer: answerEvents },
    { method: 'GET', path: '/markets/keyset', answer: answerMarkets },
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
}

function readKeyset(ask: Ask, fallback: number, most: number): Keyset | Reply {
  if (ask.query.has('offset')) return invalid('offset is not supported, use after_cursor');
  const limit = readInteger(ask.query, 'limit', fallback);
  if (limit === undefined || limit < 1) return invalid('limit is invalid');
  const from = readCursor(ask.query.get('after_cursor'));
  if (from === undefined) return invalid('after_cursor is invalid');
  return { from, limit: Math.min(limit, most), closed: ask.query.get('closed') === 'true' };
}

// Flat repeated keys are read; the bracket form is ignored, as by the real host.
function readArray(ask: Ask, name: string): Set<string> | undefined | Reply {
  const values = ask.query.getAll(name);
  if (values.length > MOST_IDS) return invalid(`${name} must contain at most ${MOST_IDS} items`);
  return values.length === 0 ? undefined : new Set(values);
}

// There is a cursor only when the page is full.
function keysetBody(name: string, rows: unknown[], next: number | undefined): Reply {
  return ok({ [name]: rows, ...(next === undefined ? {} : { next_cursor: writeCursor(next) }) });
}

function answerEvents(world: World, ask: Ask): Reply {
  const keyset = readKeyset(ask, 20, 500);
  if (isReply(keyset)) return keyset;
  const tagSlug = ask.query.get('tag_slug');
  const startMin = Date.parse(ask.query.get('start_date_min') ?? '1970-01-01');
  if (Number.isNaN(startMin)) return invalid('start_date_min is invalid');
  const { event_list } = world.catalog.polymarket;
  const { page, next } = takePage(event_list, keyset.from, keyset.limit, (event) => {
    if (world.now() < event.truth.listed_at || event.truth.listed_at < startMin) return false;
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
  const keyset = readKeyset(ask, 20, 100);
  if (isReply(keyset)) return keyset;
  const conditions = readArray(ask, 'condition_ids');
  if (isReply(conditions)) return conditions;
  const tagSlug = ask.query.get('tag_slug');
  const { markets, market_list } = world.catalog.polymarket;
  const rows =
    conditions === undefined ? market_list : [...conditions].flatMap((id) => markets.get(id) ?? []);
  const { page, next } = takePage(rows, keyset.from, keyset.limit, (market) => {
    if (tagSlug !== null && !market.event.face.tags.includes(tagSlug)) return false;
    const state = stateAt(world, market, world.now());
    return state.listed && (state.resolution === 'resolved') === keyset.closed;
  });
  return keysetBody(
    'markets',
    page.map((market) => gammaMarket(world, market)),
    next,
  );
}
