import { sampleStandardDeviation } from 'simple-statistics';
import { addDays } from '../model/time.ts';
import type { EasternDay } from '../model/units.ts';
import { closeBefore } from './closes.ts';

/** The last print of a rate on a completed US Eastern day. */
export interface DailyClose {
  day: EasternDay;
  /** The price as a fraction. */
  value: number;
}

/** Trailing returns and risk figures of a daily series. A figure that cannot be calculated is undefined. */
export interface DailyStats {
  /** The last close. */
  through_day: EasternDay;
  /** The first close that is known. */
  first_day: EasternDay;
  /** Simple returns as fractions: 0.05 is five percent. */
  return_1d: number | undefined;
  return_7d: number | undefined;
  return_30d: number | undefined;
  return_90d: number | undefined;
  return_since_first: number | undefined;
  /** Annualised, of the daily changes in cents. */
  volatility: number | undefined;
  /** Of the last 365 days, in the unit of the closes. */
  high_365d: number;
  low_365d: number;
  /** The greatest fall from a high of the last 365 days, as a fraction: 0 or below. */
  max_drawdown_365d: number;
}

/** Most and fewest changes used for the volatility. */
const VOLATILITY_CHANGES = 90;
const LEAST_CHANGES = 20;
const DAYS_OF_YEAR = 365;

/**
 * Trailing returns, volatility, range and drawdown of a rate as of the last close.
 *
 * @param closes completed days, in order; a day without a print has none
 * @returns undefined without a close
 * @see Spec 2.5, stats
 * @example closes of 0.5 and, seven days later, 0.55: return_7d is 0.1
 */
export function dailyStats(closes: readonly DailyClose[]): DailyStats | undefined {
  const last = closes.at(-1);
  const first = closes[0];
  if (!last || !first) return undefined;
  const year = closes
    .filter((close) => close.day > addDays(last.day, -DAYS_OF_YEAR))
    .map(({ value }) => value);
  return {
    through_day: last.day,
    first_day: first.day,
    return_1d: returnOver(closes, last, 1),
    return_7d: returnOver(closes, last, 7),
    return_30d: returnOver(closes, last, 30),
    return_90d: returnOver(closes, last, 90),
    return_since_first: closes.length > 1 ? returnFrom(first, last) : undefined,
    volatility: volatilityOf(closes),
    high_365d: Math.max(...year),
    low_365d: Math.min(...year),
    max_drawdown_365d: drawdownOf(year),
  };
}

function returnOver(closes: readonly DailyClose[], last: DailyClose, days: number): number | undefined {
  const base = closeBefore(closes, last.day, days);
  return base && returnFrom(base, last);
}

function returnFrom(base: DailyClose, last: DailyClose): number | undefined {
  return base.value > 0 ? last.value / base.value - 1 : undefined;
}

/** Sample standard deviation of the changes between closes of adjacent days, times √365. */
function volatilityOf(closes: readonly DailyClose[]): number | undefined {
  const changes: number[] = [];
  for (let i = 1; i < closes.length; i++) {
    const [before, after] = [closes[i - 1] as DailyClose, closes[i] as DailyClose];
    if (addDays(before.day, 1) === after.day) changes.push(100 * (after.value - before.value));
  }
  const recent = changes.slice(-VOLATILITY_CHANGES);
  return recent.length < LEAST_CHANGES
    ? undefined
    : sampleStandardDeviation(recent) * Math.sqrt(DAYS_OF_YEAR);
}

function drawdownOf(values: readonly number[]): number {
  let high = 0;
  let deepest = 0;
  for (const value of values) {
    high = Math.max(high, value);
    if (high > 0) deepest = Math.min(deepest, value / high - 1);
  }
  return deepest;
}
