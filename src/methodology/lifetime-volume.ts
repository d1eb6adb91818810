import { type PriceColumn, type PriceColumns, SERIES } from '../model/observation.ts';
import { HOUR_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';

const QUOTE = SERIES.indexOf('quote');
// A daily candle on the day that summer time begins covers 23 hours; with more, it would seem to overlap the day
// before.
const COVERS_MS: Partial<Record<number, number>> = {
  [SERIES.indexOf('candle_60')]: HOUR_MS,
  [SERIES.indexOf('candle_1440')]: 23 * HOUR_MS,
  [SERIES.indexOf('trades_60')]: HOUR_MS,
  [SERIES.indexOf('trades_1440')]: 23 * HOUR_MS,
};

/**
 * The lifetime volume of a contract as known at each of some instants: the venue's own count plus the candles since;
 * before the first count, the candles alone, that is, the volume since the history begins. A candle counts only if all
 * of it is later than what has been counted.
 *
 * @param prices observations in time order from the first on, with their volumes
 * @param instants ascending
 * @returns in the venue's own unit; undefined if no volume was observed yet, which is not a volume of 0
 */
export function lifetimeVolumes(prices: PriceColumns, instants: readonly Instant[]): (number | undefined)[] {
  let volume: number | undefined;
  let countedTo = Number.NEGATIVE_INFINITY;
  let next = 0;
  return instants.map((at) => {
    for (; next < prices.observed_at.length && (prices.observed_at[next] as number) <= at; next++) {
      const observed_at = prices.observed_at[next] as number;
      const seen = prices.volume?.[next] ?? Number.NaN;
      if (Number.isNaN(seen)) continue;
      const series = prices.series[next] as number;
      const covers = COVERS_MS[series];
      if (series === QUOTE) volume = seen;
      else if (covers !== undefined && observed_at - covers >= countedTo) volume = (volume ?? 0) + seen;
      else continue;
      countedTo = observed_at;
    }
    return volume;
  });
}

/**
 * The newest value of a column at each of some instants.
 *
 * @param prices observations in time order
 * @param instants ascending
 * @returns undefined if none was observed yet
 */
export function lastKnown(
  prices: PriceColumns,
  column: PriceColumn,
  instants: readonly Instant[],
): (number | undefined)[] {
  let last: number | undefined;
  let next = 0;
  return instants.map((at) => {
    for (; next < prices.observed_at.length && (prices.observed_at[next] as number) <= at; next++) {
      const seen = prices[column]?.[next] ?? Number.NaN;
      if (!Number.isNaN(seen)) last = seen;
    }
    return last;
  });
}
