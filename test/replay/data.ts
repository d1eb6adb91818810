import { ok, type Reply } from '../../scripts/world/http/route.ts';
import { type Ask, get, integerParameter, type Route } from './route.ts';
import type { PolymarketCatalog } from './scenario.ts';
import { epochSeconds, finestGrain, historyOf } from './series.ts';

/** Body for a path the data API does not have. */
export const dataUnknownPath: Reply = { status: 404, body: { error: 'not found', code: 'not_found' } };

/** What is asked of Polymarket's data API v2, over recorded prices: volumes and resolutions were not recorded. */
export function dataRoutes(catalog: PolymarketCatalog): Route[] {
  return [
    get('/v2/live-volume', () => ok({ data: null })),
    get('/v2/prices-history', (ask) => pricesHistory(catalog, ask)),
    get('/v2/resolutions', () => ok({ data: [] })),
  ];
}

/** A window without a start is all there is; an ask finer than was recorded gets nothing, never a coarser answer. */
function pricesHistory(catalog: PolymarketCatalog, { query, now }: Ask): Reply {
  const points = catalog.pointsOf(query.get('token_id') ?? '');
  const start = integerParameter(query, 'start') ?? 0;
  const end = integerParameter(query, 'end') ?? Math.floor(now / 1000) + 1;
  const grain = finestGrain(points) ?? 60;
  const bucket_seconds = integerParameter(query, 'bucket_seconds') ?? grain;
  const found = bucket_seconds < grain ? [] : historyOf(points, { start, end, bucket_seconds, now });
  const limit = integerParameter(query, 'limit') ?? found.length;
  const offset = integerParameter(query, 'cursor') ?? 0;
  const more = offset + limit < found.length;
  return ok({
    data: found.slice(offset, offset + limit).map((point) => ({
      timestamp: epochSeconds(point),
      price: point.price,
      resolution_seconds: point.resolution_seconds,
    })),
    pagination: { limit, offset, has_more: more, next_cursor: more ? `${offset + limit}` : null },
  });
}
