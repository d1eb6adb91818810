import { MINUTE } from '../calendar.ts';
import { type Contract, findHalt, type Grid, type Habits, type Lifecycle } from './contracts.ts';
import type { Truth } from './probabilities.ts';
import { mix, unit, valueNoise } from './random.ts';

/** Quotes change only at slot starts, every fifteen minutes, each contract at its own minute. */
const SLOT = 15 * MINUTE;

/** One dollar in price units. */
export const DOLLAR = 10_000;

const KNOT_SLOTS = 24;

/** Best bid and ask in ten-thousandths of a dollar, sizes in hundredths of a contract; an absent side has no key. */
export interface Quote {
  bid?: number;
  bid_size?: number;
  ask?: number;
  ask_size?: number;
}

/** One price step of a book side, best first. */
export interface Rung {
  price: number;
  size: number;
}

/** Everything needed to price one contract. */
export interface Desk {
  truth: Truth;
  contract: Contract;
  habits: Habits;
  life: Lifecycle;
}

/** The slot an instant lies in, by the contract's own minute. */
export function slotAt(habits: Habits, at: number): number {
  return Math.floor((at - minuteOf(habits)) / SLOT);
}

/** First instant of a slot. */
export function slotStart(habits: Habits, slot: number): number {
  return slot * SLOT + minuteOf(habits);
}

function minuteOf(habits: Habits): number {
  // Five seconds past a minute, so that a whole minute always lies inside one slot.
  return (habits.seed % 15) * MINUTE + 5_000;
}

/**
 * The slot whose quote stands at an instant: the close freezes it, and so does a halt over the slot's start.
 */
export function standingSlot(desk: Desk, at: number): number {
  const { habits, life } = desk;
  const slot = slotAt(habits, Math.min(at, life.close_at - 1));
  const halt = findHalt(habits, slotStart(habits, slot));
  return halt === undefined ? slot : slotAt(habits, halt);
}

/** The slot from which a slot's quote is carried: thin books are re-quoted seldom. */
export function quotedSlot(habits: Habits, slot: number): number {
  const phase = (slot + (habits.seed >>> 8)) % habits.refresh_slots;
  return slot - phase;
}

/**
 * Bid and ask of a slot as one number, bid × 16384 + ask; bid 0 and ask DOLLAR are empty sides. Packed so that
 * candles over millions of slots make no garbage.
 */
export function packedQuote(desk: Desk, slot: number): number {
  const { habits, contract, truth } = desk;
  const quoted = quotedSlot(habits, slot);
  const at = slotStart(habits, quoted);
  if (at < desk.life.open_at + habits.fresh_for) return DOLLAR;
  const p = truth.probability(contract.event, contract.outcome, at);
  const sd = Math.sqrt(p * (1 - p));
  const opinion = 3.4 * habits.noise * (valueNoise(mix(habits.seed, 21), quoted / KNOT_SLOTS) - 0.5);
  const jitter = habits.noise * 0.3 * (unit(mix(mix(habits.seed, 22), quoted)) - 0.5);
  const middle = p + sd * (opinion + jitter);
  const luck = unit(mix(mix(habits.seed, 23), Math.floor(quoted / KNOT_SLOTS)));
  const wide = luck > 0.996 ? 8 : 1;
  const half = habits.half_spread * (0.4 + 1.2 * sd) * wide;
  let bid = gridDown(contract.grid, (middle - half) * DOLLAR);
  let ask = gridUp(contract.grid, (middle + half) * DOLLAR);
  if (luck > 0.5 && luck < 0.5006) [bid, ask] = [ask, bid];
  if (luck < habits.one_sided) {
    if (quoted % 2 === 0) bid = 0;
    else ask = DOLLAR;
  }
  if (bid < contract.grid.edge || bid >= DOLLAR) bid = 0;
  if (ask > DOLLAR - contract.grid.edge || ask <= 0) ask = DOLLAR;
  return bid * 16_384 + ask;
}

/** Bid of a packed quote, 0 when absent. */
export function packedBid(packed: number): number {
  return Math.floor(packed / 16_384);
}

/** Ask of a packed quote, DOLLAR when absent. */
export function packedAsk(packed: number): number {
  return packed % 16_384;
}

/** Best bid and ask at an instant; an empty quote before the open, while the book is fresh and after the close. */
export function quoteAt(desk: Desk, at: number): Quote {
  if (at < desk.life.open_at || at >= desk.life.close_at) return {};
  const slot = standingSlot(desk, at);
  const packed = packedQuote(desk, slot);
  const bid = packedBid(packed);
  const ask = packedAsk(packed);
  return {
    ...(bid > 0 ? { bid, bid_size: sizeOf(desk, slot, 0, 31) } : {}),
    ...(ask < DOLLAR ? { ask, ask_size: sizeOf(desk, slot, 0, 32) } : {}),
  };
}

/** Whether nobody has ever quoted the contract yet. */
export function isFresh(desk: Desk, at: number): boolean {
  const quoted = quotedSlot(desk.habits, standingSlot(desk, at));
  return slotStart(desk.habits, quoted) < desk.life.open_at + desk.habits.fresh_for;
}

/** Both sides of the book at an instant, best first, starting at the quote. */
export function bookAt(desk: Desk, at: number): { bids: Rung[]; asks: Rung[] } {
  const quote = quoteAt(desk, at);
  const slot = standingSlot(desk, at);
  const depth = 2 + Math.floor(desk.habits.liquidity * 8);
  const bids: Rung[] = [];
  const asks: Rung[] = [];
  const { grid } = desk.contract;
  let bid = quote.bid;
  for (let i = 0; bid !== undefined && bid > 0 && i < depth; i++) {
    bids.push({ price: bid, size: sizeOf(desk, slot, i, 31) });
    bid = gridDown(grid, bid - 0.5 - grid.edge * (mix(desk.habits.seed, slot + i) % 3));
  }
  let ask = quote.ask;
  for (let i = 0; ask !== undefined && ask < DOLLAR && i < depth; i++) {
    asks.push({ price: ask, size: sizeOf(desk, slot, i, 32) });
    ask = gridUp(grid, ask + 0.5 + grid.edge * (mix(desk.habits.seed, slot - i) % 3));
  }
  return { bids, asks };
}

function sizeOf(desk: Desk, slot: number, depth: number, side: number): number {
  const draw = unit(mix(mix(desk.habits.seed, side + depth * 64), quotedSlot(desk.habits, slot)));
  return Math.max(1, Math.round(100 * desk.habits.trade_size * (0.2 + 3 * draw) * (1 + depth)));
}

function gridDown(grid: Grid, price: number): number {
  const step = stepAt(grid, price);
  return Math.floor(price / step + 1e-9) * step;
}

function gridUp(grid: Grid, price: number): number {
  const step = stepAt(grid, price);
  return Math.ceil(price / step - 1e-9) * step;
}

function stepAt(grid: Grid, price: number): number {
  return price < 0.1 * DOLLAR || price > 0.9 * DOLLAR ? grid.edge : grid.core;
}
