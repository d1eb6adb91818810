import { DAY } from '../calendar.ts';
import { type Ask, readInteger } from '../http/route.ts';
import type { World } from '../world.ts';
import { displayPrice, type MarketState, stateAt, tokenPrice } from './polymarket-state.ts';

/** One price of a token: 0 to 1, and its bucket length; 0 seconds for a raw tick or a settlement. */
export interface Point {
  timestamp: number;
  price: number;
  resolution_seconds: number;
}

const WINDOW = 15 * DAY;
const RAW_DELAY = 7_000;

/** How far back each bucket length is available. */
const FLOORS: { below_seconds: number; kept: number }[] = [
  { below_seconds: 300, kept: 7 * DAY },
  { below_seconds: 1_800, kept: 60 * DAY },
  { below_seconds: 10_800, kept: 90 * DAY },
];

/** An invalid request, and the parameter at fault. */
interface Fault {
  error: string;
  parameter: string;
}

interface Range {
  from: number;
  to: number;
  /** Chosen by the caller, or by the server from the age of the range. */
  bucket: number;
}

/**
 * Prices of a token, oldest first: bucket ends on the grid, then the newest raw tick, then the settlement once
 * the market is resolved. Buckets finer than what is kept at their age are absent; they are never replaced by
 * coarser ones.
 */
export function listPoints(world: World, ask: Ask, token: string): Point[] | Fault {
  const now = world.now();
  const range = readRange(ask, now);
  if ('error' in range) return range;
  const found = world.catalog.polymarket.findToken(token);
  if (found === undefined) return [];
  const state = stateAt(world, found.market, now);
  return pointsIn(state, range, now, (yes) => tokenPrice(yes, found.outcome));
}

function pointsIn(state: MarketState, range: Range, now: number, side: (yes: number) => number): Point[] {
  const { desk } = state;
  const step = range.bucket * 1000;
  const kept =
    FLOORS.find(({ below_seconds }) => range.bucket < below_seconds)?.kept ?? Number.POSITIVE_INFINITY;
  const begin = Math.max(range.from, desk.life.open_at, now - kept);
  // The newest tick is some seconds old, and nothing on the grid is newer.
  const raw = Math.floor(now / 1000) * 1000 - RAW_DELAY;
  const closed = state.payout === undefined ? raw : desk.life.close_at;
  const points: Point[] = [];
  for (let at = Math.ceil(begin / step) * step; at < range.to && at <= closed; at += step) {
    const yes = displayPrice(desk, at);
    if (yes === undefined) continue;
    points.push({ timestamp: at / 1000, price: side(yes), resolution_seconds: range.bucket });
  }
  if (state.payout !== undefined) {
    const { finalized_at } = desk.life;
    if (finalized_at >= range.from && finalized_at < range.to) {
      points.push({ timestamp: finalized_at / 1000, price: side(state.payout), resolution_seconds: 0 });
    }
  } else if (range.to > now) {
    const yes = displayPrice(desk, raw);
    if (yes !== undefined) points.push({ timestamp: raw / 1000, price: side(yes), resolution_seconds: 0 });
  }
  return points;
}

function readRange(ask: Ask, now: number): Range | Fault {
  if (ask.query.has('start') === ask.query.has('interval'))
    return { error: 'either start or interval is required', parameter: 'start' };
  const bucket = readInteger(ask.query, 'bucket_seconds', 0);
  if (bucket === undefined || (bucket !== 0 && (bucket < 60 || bucket > 86_400))) {
    return { error: 'bucket_seconds must be 60 to 86400', parameter: 'bucket_seconds' };
  }
  const interval = ask.query.get('interval');
  if (interval !== null) {
    if (interval !== 'max') return { error: `unknown interval ${interval}`, parameter: 'interval' };
    return { from: 0, to: now + 1, bucket: bucket || chooseBucket(now) };
  }
  const start = readInteger(ask.query, 'start', 0);
  const end = readInteger(ask.query, 'end', Math.floor(now / 1000) + 1);
  if (start === undefined) return { error: 'start must be unix seconds', parameter: 'start' };
  if (end === undefined) return { error: 'end must be unix seconds', parameter: 'end' };
  if ((end - start) * 1000 > WINDOW) {
    return { error: 'start and end may be at most 15 days apart', parameter: 'end' };
  }
  return { from: start * 1000, to: end * 1000, bucket: bucket || chooseBucket(now - start * 1000) };
}

// Without a requested length the server chooses one available over the whole range, for about 500 points.
function chooseBucket(age: number): number {
  if (age <= DAY) return 60;
  if (age <= 7 * DAY) return 300;
  if (age <= 60 * DAY) return 1_800;
  return age <= 90 * DAY ? 3_600 : 10_800;
}
