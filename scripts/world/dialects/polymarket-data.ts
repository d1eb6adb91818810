import { iso } from '../calendar.ts';
import { hexId } from '../catalog.ts';
import {
  type Ask,
  type Dialect,
  isReply,
  ok,
  type Reply,
  type Route,
  readCursor,
  readInteger,
  writeCursor,
} from '../http/route.ts';
import { payoutOf } from '../truth/contracts.ts';
import { volumeAt } from '../truth/trades.ts';
import type { World } from '../world.ts';
import { listPoints } from './data-prices.ts';
import { isProposed, stateAt } from './polymarket-state.ts';

const MOST_CONDITIONS = 20;

const ROUTES: Route[] = [
  { method: 'GET', path: '/v2/prices-history', answer: answerPrices },
  { method: 'GET', path: '/v2/resolutions', answer: answerResolutions },
  { method: 'GET', path: '/v2/live-volume', answer: answerLiveVolume },
];

/** The Data API, version 2. */
export const polymarketData: Dialect = {
  prefix: '/data',
  routes: ROUTES,
  notFound: (path) => dataError(404, 'not_found', `no such route: ${path}`),
};

/** Error body of the Data API, naming the parameter at fault if there is one. */
function dataError(status: number, code: string, error: string, parameter?: string): Reply {
  const named = parameter === undefined ? {} : { parameter };
  return {
    status,
    body: { error, code, retryable: status === 429 || status === 503, trace_id: TRACE, ...named },
  };
}

const TRACE = '00000000000000000000000000000000';

function invalid(error: string, parameter: string): Reply {
  return dataError(400, 'invalid_request', error, parameter);
}

function readPage(ask: Ask, fallback: number, most: number): { limit: number; from: number } | Reply {
  if (ask.query.has('offset')) return invalid('offset is not supported, use cursor', 'offset');
  const limit = readInteger(ask.query, 'limit', fallback);
  if (limit === undefined || limit < 1 || limit > most) return invalid(`limit must be 1 to ${most}`, 'limit');
  const from = readCursor(ask.query.get('cursor'));
  if (from === undefined) return invalid('cursor is not valid', 'cursor');
  return { limit, from };
}

function paged(rows: unknown[], page: { limit: number; from: number }): Reply {
  const end = page.from + page.limit;
  const more = rows.length > end;
  return ok({
    data: rows.slice(page.from, end),
    pagination: {
      limit: page.limit,
      offset: page.from,
      has_more: more,
      next_cursor: more ? writeCursor(end) : null,
    },
  });
}

function answerPrices(world: World, ask: Ask): Reply {
  const token = ask.query.get('token_id');
  if (token === null || token === '') return invalid('token_id is required', 'token_id');
  const page = readPage(ask, 1_000, 10_000);
  if (isReply(page)) return page;
  const points = listPoints(world, ask, token);
  if (!Array.isArray(points)) return invalid(points.error, points.parameter);
  return paged(points, page);
}

function answerResolutions(world: World, ask: Ask): Reply {
  const page = readPage(ask, 100, 1_000);
  if (isReply(page)) return page;
  const conditions = (ask.query.get('condition') ?? '').split(',').filter((id) => id !== '');
  if (conditions.length > MOST_CONDITIONS) {
    return invalid(`at most ${MOST_CONDITIONS} conditions`, 'condition');
  }
  const rows = conditions.flatMap((id) => {
    const market = world.catalog.polymarket.markets.get(id);
    if (market === undefined || market.contract.event.listed_at > world.now()) return [];
    const { desk, payout, resolution } = stateAt(world, market, world.now());
    return {
      condition_id: market.condition_id,
      question_id: hexId('question', market.slug),
      event_id: market.event.id,
      market_type: market.event.face.neg_risk ? 'INCREMENTAL_NEGRISK' : 'BINARY',
      status: resolution,
      proposed_price: isProposed(resolution) ? String(payoutOf(world.truth, market.contract)) : '69',
      payouts: payout === undefined ? [] : [Math.round(payout * 1e6), Math.round((1 - payout) * 1e6)],
      resolved_at: payout === undefined ? null : iso(desk.life.finalized_at),
    };
  });
  return paged(rows, page);
}

function answerLiveVolume(world: World, ask: Ask): Reply {
  const event = world.catalog.polymarket.events.get(ask.query.get('id') ?? '');
  if (!ask.query.has('id')) return invalid('id is required', 'id');
  if (event === undefined) return ok({ data: null });
  const conditions = event.markets.map((market) => ({
    condition_id: market.condition_id,
    taker_volume: volumeAt(stateAt(world, market, world.now()).desk, world.now()) / 100,
  }));
  const taker_volume_total = conditions.reduce((sum, { taker_volume }) => sum + taker_volume, 0);
  return ok({ data: { taker_volume_total, conditions } });
}
