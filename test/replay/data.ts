import { createHash } from 'node:crypto';
import { intervalSeconds, longestWindowSeconds } from './clob.ts';
import type { WireRow } from './recorded.ts';
import { type Answer, type Ask, integerParameter, listParameter, ok, type Route } from './route.ts';
import { epochSeconds, finestGrain, historyOf, newestAt, type Point } from './series.ts';

/** What the data API answers from: price points by token, resolution rows by condition. */
export interface DataCatalog {
  pointsOf(token: string): readonly Point[];
  resolutionAt(condition: string, now: number): WireRow | undefined;
}

const largestPage = 10_000;

/** Body for a path the data API does not have. */
export const dataUnknownPath: Answer = failure(404, 'not_found', 'not found');

/** Polymarket's data API v2 over recorded prices: `/v2/prices-history`, `/v2/resolutions`, `/v2/status`. */
export function dataRoutes(catalog: DataCatalog): Route[] {
  const none = { data: [], pagination: { limit: 100, offset: 0, has_more: false, next_cursor: null } };
  return [
    // Trades, open interest and volume were not recorded; a miss is an empty list or null, never an error.
    { method: 'GET', path: /^\/v2\/(trades|oi)$/, answer: () => ok(none) },
    { method: 'GET', path: /^\/v2\/live-volume$/, answer: () => ok({ data: null }) },
    { method: 'GET', path: /^\/v2\/prices-history$/, answer: (ask) => pricesHistory(catalog, ask) },
    { method: 'GET', path: /^\/v2\/resolutions$/, answer: (ask) => resolutions(catalog, ask) },
    { method: 'GET', path: /^\/v2\/status$/, answer: (ask) => ok({ data: statusAt(ask.now) }) },
  ];
}

/**
 * Without `bucket_seconds` the recorded grain is served. An ask finer than what was recorded gets an
 * empty page, never a coarser answer.
 */
function pricesHistory(catalog: DataCatalog, ask: Ask): Answer {
  const { query, now } = ask;
  const token = query.get('token_id');
  if (query.has('offset')) return invalid('offset');
  if (token === null) return invalid('token_id');
  if (['start', 'interval', 'as_of'].filter((name) => query.has(name)).length !== 1) {
    return invalid('start, interval, as_of');
  }
  const points = catalog.pointsOf(token);
  if (query.has('as_of')) {
    const asOf = integerParameter(query, 'as_of');
    if (asOf === undefined) return invalid('as_of');
    const point = newestAt(points, Math.min(now, asOf * 1000 + 999));
    return paged(ask, point === undefined ? [] : [point]);
  }
  const span = query.has('interval') ? intervalSeconds[query.get('interval') ?? ''] : undefined;
  if (query.has('interval') && span === undefined) return invalid('interval');
  const start = span === undefined ? integerParameter(query, 'start') : Math.floor(now / 1000) - span;
  if (start === undefined) return invalid('start');
  const end = query.has('end') ? integerParameter(query, 'end') : Math.floor(now / 1000) + 1;
  if (end === undefined || (span === undefined && query.has('end') && end - start > longestWindowSeconds)) {
    return invalid('end');
  }
  const until = span === undefined ? Math.min(end, start + longestWindowSeconds) : end;
  const grain = finestGrain(points) ?? 60;
  const bucket_seconds = query.has('bucket_seconds') ? integerParameter(query, 'bucket_seconds') : grain;
  if (bucket_seconds === undefined || bucket_seconds < 60 || bucket_seconds > 86_400) {
    return invalid('bucket_seconds');
  }
  if (bucket_seconds < grain) return paged(ask, []);
  return paged(ask, historyOf(points, { start, end: until, bucket_seconds, now }));
}

function paged(ask: Ask, points: readonly Point[]): Answer {
  const limit = Math.min(integerParameter(ask.query, 'limit') ?? largestPage, largestPage);
  const cursor = ask.query.get('cursor') ?? '0';
  if (limit < 1) return invalid('limit');
  if (!/^\d+$/.test(cursor)) return invalid('cursor');
  const offset = Number(cursor);
  const end = offset + limit;
  const more = end < points.length;
  return ok({
    data: points.slice(offset, end).map((point) => ({
      timestamp: epochSeconds(point),
      price: point.price,
      resolution_seconds: point.resolution_seconds,
    })),
    pagination: { limit, offset, has_more: more, next_cursor: more ? `${end}` : null },
  });
}

function resolutions(catalog: DataCatalog, ask: Ask): Answer {
  const conditions = listParameter(ask.query, 'condition');
  if (conditions.length === 0 || conditions.length > 20) return invalid('condition');
  const rows = conditions
    .map((condition) => catalog.resolutionAt(condition, ask.now))
    .filter((row) => row !== undefined);
  return ok({ data: rows, pagination: { limit: 20, offset: 0, has_more: false, next_cursor: null } });
}

function statusAt(now: number): WireRow {
  return { watermark: new Date(now).toISOString(), lag_seconds: 0 };
}

function invalid(parameter: string): Answer {
  return failure(400, 'invalid_request', `invalid ${parameter}`, parameter);
}

function failure(status: number, code: string, error: string, parameter?: string): Answer {
  const trace_id = createHash('sha256').update(`${code}:${error}`).digest('hex').slice(0, 32);
  const body = { error, code, retryable: false, trace_id, ...(parameter === undefined ? {} : { parameter }) };
  return { status, body };
}
