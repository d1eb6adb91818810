import {
  type Desk,
  DOLLAR,
  packedAsk,
  packedBid,
  packedQuote,
  slotAt,
  slotStart,
  standingSlot,
} from './quotes.ts';
import { mix, unit, valueNoise } from './random.ts';

const DAY_SLOTS = 96;
const BUSY_SWING = 80;

/** One execution: Yes price in ten-thousandths of a dollar, size in hundredths of a contract. */
export interface Trade {
  /** Counts from 1 over the contract's life. */
  number: number;
  at: number;
  price: number;
  size: number;
  taker_buys: boolean;
}

/** How many trades were made up to the end of a slot: grows with time, faster on busy days, not during a halt. */
export function countTrades(desk: Desk, slot: number): number {
  const { habits, life } = desk;
  const opened = slotAt(habits, life.open_at + habits.fresh_for) + 1;
  const age = standingSlot(desk, slotStart(habits, slot)) - opened;
  if (age <= 0) return 0;
  const seed = mix(habits.seed, 41);
  const swing = BUSY_SWING * (valueNoise(seed, age / DAY_SLOTS) - valueNoise(seed, 0));
  return Math.max(0, Math.floor(habits.trades_per_slot * (age + swing)));
}

/** Contracts traded in the first so many trades, in hundredths. */
export function volumeOf(desk: Desk, trades: number): number {
  if (trades <= 0) return 0;
  const wobble = unit(mix(mix(desk.habits.seed, 42), trades)) * 0.98;
  return Math.round(100 * desk.habits.trade_size * (trades + wobble));
}

/** Contracts traded up to an instant, in hundredths. */
export function volumeAt(desk: Desk, at: number): number {
  if (at < desk.life.open_at) return 0;
  return volumeOf(desk, countTrades(desk, slotAt(desk.habits, at)));
}

/** Contracts held at an instant, in hundredths: a share of the volume that wanders between three and six tenths. */
export function openInterestAt(desk: Desk, at: number): number {
  return openInterestOf(desk, volumeAt(desk, at), standingSlot(desk, at));
}

/** Contracts held after a slot with the given volume, in hundredths. */
export function openInterestOf(desk: Desk, volume: number, slot: number): number {
  return Math.round(volume * (0.3 + 0.3 * valueNoise(mix(desk.habits.seed, 43), slot / (7 * DAY_SLOTS))));
}

/** Price of the trades of a slot: the taker lifts one side of that slot's quote, or meets the truth between empty ones. */
export function tradePrice(desk: Desk, slot: number): number {
  const packed = packedQuote(desk, slot);
  const bid = packedBid(packed);
  const ask = packedAsk(packed);
  if (takerBuys(desk, slot)) return ask < DOLLAR ? ask : bid > 0 ? bid : truthPrice(desk, slot);
  return bid > 0 ? bid : ask < DOLLAR ? ask : truthPrice(desk, slot);
}

function takerBuys(desk: Desk, slot: number): boolean {
  return mix(mix(desk.habits.seed, 44), slot) % 2 === 0;
}

function truthPrice(desk: Desk, slot: number): number {
  const { event, outcome, grid } = desk.contract;
  const p = desk.truth.probability(event, outcome, slotStart(desk.habits, slot));
  const price = Math.round((p * DOLLAR) / grid.core) * grid.core;
  return Math.min(DOLLAR - grid.core, Math.max(grid.core, price));
}

/** The newest trade at or before an instant; undefined when nothing was ever traded. */
export function findLastTrade(desk: Desk, at: number): Trade | undefined {
  if (at < desk.life.open_at) return undefined;
  const slot = slotAt(desk.habits, at);
  const number = countTrades(desk, slot);
  return number === 0 ? undefined : describeTrade(desk, number, findTradeSlot(desk, number, slot));
}

/** Trades with from ≤ at < to, newest first, at most `limit`. */
export function listTrades(desk: Desk, from: number, to: number, limit: number): Trade[] {
  const trades: Trade[] = [];
  if (to <= desk.life.open_at) return trades;
  let slot = slotAt(desk.habits, to - 1);
  let number = countTrades(desk, slot);
  while (number > 0 && trades.length < limit) {
    slot = findTradeSlot(desk, number, slot);
    const trade = describeTrade(desk, number, slot);
    if (trade.at < from) break;
    if (trade.at < to) trades.push(trade);
    number--;
  }
  return trades;
}

// The first slot by whose end so many trades were made; counts never fall. It is mostly near, so that growing steps back
// find a range, and halving finds it there.
function findTradeSlot(desk: Desk, number: number, notAfter: number): number {
  const before = slotAt(desk.habits, desk.life.open_at) - 1;
  let high = notAfter;
  let low = Math.max(before, high - 1);
  for (let step = 2; low > before && countTrades(desk, low) >= number; step *= 2) {
    high = low;
    low = Math.max(before, high - step);
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (countTrades(desk, middle) >= number) high = middle;
    else low = middle;
  }
  return high;
}

function describeTrade(desk: Desk, number: number, slot: number): Trade {
  return {
    number,
    at: slotStart(desk.habits, slot),
    price: tradePrice(desk, slot),
    size: Math.max(1, volumeOf(desk, number) - volumeOf(desk, number - 1)),
    taker_buys: takerBuys(desk, slot),
  };
}
