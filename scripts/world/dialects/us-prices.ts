import { DAY, MINUTE } from '../calendar.ts';
import { openDesk } from '../catalog.ts';
import { type Ask, isReply, ok, type Reply, readInteger } from '../http/route.ts';
import { payoutOf } from '../truth/contracts.ts';
import { type Desk, DOLLAR, quoteAt, slotAt, slotStart } from '../truth/quotes.ts';
import type { World } from '../world.ts';
import { usError } from './us-rows.ts';

/** The fixed intervals with their length and their only resolution, in minutes. */
const INTERVALS: Record<string, { length: number; fidelity: number }> = {
  INTERVAL_1M: { length: 30 * DAY, fidelity: 180 },
  INTERVAL_ALL: { length: Number.POSITIVE_INFINITY, fidelity: 180 },
};
/** Histories longer than this have one point a day. */
const DAILY_FROM = 60 * DAY;

/** Display prices of a market: an unknown symbol has none, answered with 200. */
export function answerPriceHistory(world: World, ask: Ask): Reply {
  const now = world.now();
  const range = readRange(ask, now);
  if (isReply(range)) return range;
  const market = world.catalog.us.markets.get(ask.query.get('symbol') ?? '');
  if (market === undefined) return ok({ history: [] });
  const desk = openDesk(world.truth, market.contract);
  const pays = payoutOf(world.truth, market.contract);
  return ok({
    history: instantsOf(desk, range, now).map((at) => ({
      timestamp: Math.floor(at / 1000),
      ...displayAt(desk, at, pays),
    })),
  });
}

interface Range {
  from: number;
  to: number;
  /** Absent for all stored observations. */
  step?: number;
}

function readRange(ask: Ask, now: number): Range | Reply {
  const fidelity = readInteger(ask.query, 'fidelity', 1);
  const name = ask.query.get('fixedInterval');
  if (name !== null) {
    const interval = INTERVALS[name];
    if (interval === undefined || interval.fidelity !== fidelity)
      return usError(400, 3, `fidelity ${fidelity} is not supported for ${name}`);
    return { from: now - interval.length, to: now, step: interval.fidelity * MINUTE };
  }
  const start = readInteger(ask.query, 'timestamp.startTimestamp', -1) ?? -1;
  const end = readInteger(ask.query, 'timestamp.endTimestamp', -1) ?? -1;
  if (start < 0 || end < 0) return usError(400, 3, 'fixed_interval or timestamp is required');
  if (end - start > DAY / 1000 || fidelity !== 1)
    return usError(400, 3, 'custom ranges are limited to 24 hours at fidelity 1');
  return { from: start * 1000, to: Math.min(end * 1000, now) };
}

function instantsOf(desk: Desk, { from, to, step }: Range, now: number): number[] {
  const { habits, life } = desk;
  const begin = Math.max(from, life.open_at);
  const end = Math.min(to, now, life.finalized_at);
  const instants: number[] = [];
  if (step !== undefined) {
    const grain = step === 180 * MINUTE && from < 0 && end - begin > DAILY_FROM ? DAY : step;
    for (let at = Math.ceil(begin / grain) * grain; at <= end; at += grain) instants.push(at);
    return instants;
  }
  for (let slot = slotAt(habits, begin); slotStart(habits, slot) <= end; slot++) {
    const at = slotStart(habits, slot);
    if (at < begin) continue;
    instants.push(at);
    // Some instants are stored twice.
    if (slot % 50 === 0) instants.push(at);
  }
  return instants;
}

// A decided market stays within a cent of its payout; an empty side is displayed as a whole dollar.
function displayAt(desk: Desk, at: number, pays: number): { longPrice: number; shortPrice: number } {
  if (at >= desk.life.close_at) {
    const pinned = Math.min(0.999, Math.max(0.001, pays));
    return { longPrice: pinned, shortPrice: 1 - pinned };
  }
  const { bid, ask } = quoteAt(desk, at);
  return { longPrice: (ask ?? DOLLAR) / DOLLAR, shortPrice: 1 - (bid ?? 0) / DOLLAR };
}
