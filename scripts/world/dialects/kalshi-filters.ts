import { type KalshiMarket, openDesk } from '../catalog.ts';
import { type Ask, isReply, type Reply, readCursor, readInteger, writeCursor } from '../http/route.ts';
import type { World } from '../world.ts';
import { type KalshiStatus, kalshiStatus, updatedAt } from './kalshi-rows.ts';

const STATUS_WORDS: Record<string, KalshiStatus[]> = {
  unopened: ['initialized'],
  open: ['active'],
  paused: ['inactive'],
  closed: ['closed', 'determined', 'disputed', 'amended'],
  settled: ['finalized'],
};

const TIME_FAMILIES: { family: string; statuses: (string | null)[] }[] = [
  { family: 'settled', statuses: ['settled', null] },
  { family: 'updated', statuses: [null] },
];

/** Error in the nested shape that the live hosts answer with. */
export function kalshiError(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message } } };
}

/** Page size and position of a request, or the error for invalid values. */
export function readPage(ask: Ask, fallback: number, most: number): { limit: number; from: number } | Reply {
  const limit = readInteger(ask.query, 'limit', fallback);
  if (limit === undefined || limit < 0 || limit > most) {
    return kalshiError(400, 'invalid_parameters', `limit must be between 0 and ${most}`);
  }
  const from = readCursor(ask.query.get('cursor'));
  if (from === undefined) return kalshiError(400, 'invalid_parameters', 'invalid cursor');
  return { limit: limit === 0 ? fallback : limit, from };
}

/** The cursor of the next page; empty after the last. */
export function cursorTo(next: number | undefined): string {
  return next === undefined ? '' : writeCursor(next);
}

/** Statuses of a filter word; all when it is absent, an error when it is unknown. */
export function readStatus(ask: Ask): { wanted?: Set<KalshiStatus> } | Reply {
  const word = ask.query.get('status');
  if (word === null || word === '') return {};
  const statuses = STATUS_WORDS[word];
  if (statuses === undefined) return kalshiError(400, 'bad_request', `invalid status filter: ${word}`);
  return { wanted: new Set(statuses) };
}

/** Values of a comma-separated list; undefined when the parameter is absent. */
export function readList(ask: Ask, name: string): Set<string> | undefined {
  const text = ask.query.get(name);
  return text === null || text === '' ? undefined : new Set(text.split(','));
}

/**
 * The test a market must pass under the filters of `/markets`; error 400 when time filters of two families, or
 * of a family and a status that exclude one another, come together.
 */
export function readMarketFilter(
  world: World,
  ask: Ask,
): { passes: (market: KalshiMarket) => boolean } | Reply {
  const status = readStatus(ask);
  if (isReply(status)) return status;
  const word = ask.query.get('status') || null;
  const used = TIME_FAMILIES.filter(
    ({ family }) => ask.query.has(`min_${family}_ts`) || ask.query.has(`max_${family}_ts`),
  );
  const [first] = used;
  if (used.length > 1) return kalshiError(400, 'bad_request', 'timestamp filters are mutually exclusive');
  if (first !== undefined && !first.statuses.includes(word)) {
    return kalshiError(
      400,
      'bad_request',
      `${first.family} timestamp filters cannot be combined with status ${word}`,
    );
  }
  if (first?.family === 'updated' && ['event_ticker', 'tickers'].some((name) => ask.query.has(name))) {
    return kalshiError(
      400,
      'bad_request',
      'min_updated_ts can only be combined with mve_filter and series_ticker',
    );
  }
  const mve = ask.query.get('mve_filter');
  if (mve !== null && mve !== '' && mve !== 'only' && mve !== 'exclude') {
    return kalshiError(400, 'bad_request', `invalid mve_filter: ${mve}`);
  }
  const low = first === undefined ? undefined : readInteger(ask.query, `min_${first.family}_ts`, -1);
  const high = first === undefined ? undefined : readInteger(ask.query, `max_${first.family}_ts`, 1e11);
  if (first !== undefined && (low === undefined || high === undefined)) {
    return kalshiError(400, 'invalid_parameters', 'timestamps are unix seconds');
  }
  const tickers = readList(ask, 'tickers');
  const series = ask.query.get('series_ticker') || undefined;
  const event = ask.query.get('event_ticker') || undefined;
  const now = world.now();
  const passes = (market: KalshiMarket): boolean => {
    if (mve === 'only') return false;
    if (tickers !== undefined && !tickers.has(market.ticker)) return false;
    if (series !== undefined && market.event.face.series.ticker !== series) return false;
    if (event !== undefined && market.event.face.event_ticker !== event) return false;
    const desk = openDesk(world.truth, market.contract);
    const state = kalshiStatus(desk, now);
    if (state === undefined || (status.wanted !== undefined && !status.wanted.has(state))) return false;
    if (hasMoved(world, desk.life.finalized_at)) return false;
    if (first === undefined) return true;
    if (first.family === 'settled' && state !== 'finalized') return false;
    // Both bounds are exclusive, in whole seconds.
    const at = (first.family === 'settled' ? desk.life.finalized_at : updatedAt(desk.life, now)) / 1000;
    return at > (low ?? -1) && at < (high ?? 1e11);
  };
  return { passes };
}

/** Whether a market settled at an instant has moved to the historical tier. */
export function hasMoved(world: World, finalized_at: number): boolean {
  return finalized_at <= world.now() && finalized_at < world.historical_cutoff;
}
