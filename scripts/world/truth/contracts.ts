import { DAY, HOUR, MINUTE } from '../calendar.ts';
import type { TruthEvent } from './events.ts';
import type { Truth } from './probabilities.ts';
import { hashText, mix, normal, unit } from './random.ts';

type Venue = 'kalshi' | 'polymarket' | 'polymarket-us' | 'hyperliquid' | 'forecastex';

/** Price grid in ten-thousandths of a dollar: `core` between 10 and 90 cents, `edge` outside. */
export interface Grid {
  core: number;
  edge: number;
}

/** One outcome of a question as one venue trades it. */
export interface Contract {
  venue: Venue;
  /** The venue's own name of it: a ticker or a condition id. */
  id: string;
  event: TruthEvent;
  outcome: number;
  grid: Grid;
}

/** How a contract trades, drawn once from its name. */
export interface Habits {
  seed: number;
  /** 0 to 1. */
  liquidity: number;
  /** Quotes change at most once in so many slots. */
  refresh_slots: number;
  /** Distance of the venue's opinion from the truth, in units of sqrt(p(1-p)). */
  noise: number;
  half_spread: number;
  /** Chance that one side of the book is missing for a quarter of a day. */
  one_sided: number;
  trades_per_slot: number;
  /** Mean size of a trade in contracts. */
  trade_size: number;
  /** How long the book stays empty after listing. */
  fresh_for: number;
  /** Whether trading is halted now and then. */
  halts: boolean;
}

/** The instants of a contract's life. */
export interface Lifecycle {
  created_at: number;
  open_at: number;
  close_at: number;
  determined_at: number;
  finalized_at: number;
  disputed: boolean;
}

/** How a contract trades: better-known questions have tighter, busier and less often one-sided books. */
export function readHabits(truth: Truth, contract: Contract): Habits {
  const seed = hashText(truth.seed, `${contract.venue}|${contract.id}`);
  const liquidity = Math.min(1, contract.event.interest * Math.exp(0.6 * normal(mix(seed, 1))));
  const thin = 1 - liquidity;
  const refreshes = [1, 1, 2, 4, 8, 24, 48] as const;
  return {
    seed,
    liquidity,
    refresh_slots: refreshes[Math.min(6, Math.floor(thin * thin * 7))] ?? 1,
    noise: 0.02 + 0.06 * thin * unit(mix(seed, 2)),
    half_spread: (contract.venue === 'kalshi' ? 0.004 : 0.003) + 0.05 * thin ** 3 * unit(mix(seed, 3)),
    one_sided: 0.12 * thin ** 4,
    trades_per_slot: 0.002 + 1.2 * liquidity ** 2,
    trade_size: 4 + 240 * liquidity * unit(mix(seed, 4)),
    fresh_for: (0.5 + 20 * thin * unit(mix(seed, 5))) * HOUR,
    halts: unit(mix(seed, 6)) < 1 / 40,
  };
}

/**
 * The instants of a contract's life at its venue, from the question's own. Most settle within hours; some
 * are disputed for days, and a few wait for weeks, as the venues' long tails do.
 */
export function readLifecycle(truth: Truth, contract: Contract): Lifecycle {
  const { event } = contract;
  const draw = hashText(truth.seed, `life|${contract.venue}|${event.key}`);
  const disputed = unit(mix(draw, 1)) < 0.02;
  const slow = unit(mix(draw, 2)) < 0.02;
  const determined = event.known_at + (5 + Math.floor(unit(mix(draw, 3)) * 115)) * MINUTE;
  const wait = slow ? 45 * DAY : disputed ? 6 * DAY : (30 + Math.floor(unit(mix(draw, 4)) * 690)) * MINUTE;
  return {
    created_at: event.listed_at - 10 * MINUTE,
    open_at: event.listed_at,
    close_at: event.known_at,
    determined_at: slow ? determined + wait - HOUR : determined,
    finalized_at: determined + wait,
    disputed,
  };
}

/** What a contract pays in the end, 0 to 1. */
export function payoutOf(truth: Truth, { event, outcome }: Contract): number {
  return truth.payouts(event)[outcome] ?? 0;
}

/**
 * When the halt that lies over an instant began; undefined when trading goes on. One contract in forty is
 * halted for a day and a half in every eighteen days.
 */
export function findHalt(habits: Habits, at: number): number | undefined {
  if (!habits.halts) return undefined;
  const length = 36 * HOUR;
  const window = Math.floor(at / length);
  return (window + (habits.seed % 12)) % 12 === 0 ? window * length : undefined;
}
