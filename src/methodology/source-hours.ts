import type { SeenStatus } from '../model/catalog.ts';
import { type PriceColumns, SERIES } from '../model/observation.ts';
import { HOUR_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { contractViews } from './contract-views.ts';
import type { SourceHour } from './rate-families/rate-history.ts';
import { PART_MS, PARTS } from './rate-families/robust-median.ts';

const QUOTE = SERIES.indexOf('quote');

/**
 * What was known of a contract through the hours that end at some instants.
 *
 * @param prices observations in time order, from an hour before the first instant or earlier
 * @param statuses what the venue was seen to say of it, oldest first
 * @param closesAt when trading ends, if the venue says
 * @param instants ascending
 * @returns one hour an instant, in their order
 */
export function sourceHours(
  prices: PriceColumns,
  statuses: readonly SeenStatus[],
  closesAt: Instant | undefined,
  instants: readonly Instant[],
): SourceHour[] {
  const trades = listTrades(prices);
  return instants.map((at) => {
    const from = at - HOUR_MS;
    const within = (instant: Instant) => instant > from && instant <= at;
    const starts = Array.from({ length: PARTS }, (_none, part) => from + part * PART_MS);
    const wanted = [...new Set([...starts, ...prices.observed_at.filter(within)])].sort((a, b) => a - b);
    const views = contractViews(prices, statuses, closesAt, wanted);
    return {
      views: wanted.map((instant, i) => ({ at: instant, view: views[i] as (typeof views)[number] })),
      trades: trades.filter((trade) => within(trade.at)),
    };
  });
}

/**
 * What traded, as the quotes tell it: the growth of the lifetime volume since the quote before, at the last
 * trade. Quotes further apart than a part of the hour do not say in which part it traded.
 */
function listTrades(prices: PriceColumns): { at: Instant; price: number; volume: number }[] {
  const trades: { at: Instant; price: number; volume: number }[] = [];
  let before: { at: Instant; volume: number } | undefined;
  for (let i = 0; i < prices.observed_at.length; i++) {
    const lifetime = prices.volume?.[i] ?? Number.NaN;
    if (prices.series[i] !== QUOTE || Number.isNaN(lifetime)) continue;
    const at = prices.observed_at[i] as number;
    const price = prices.last?.[i] ?? Number.NaN;
    const volume = before && at - before.at <= PART_MS ? lifetime - before.volume : 0;
    if (volume > 0 && !Number.isNaN(price)) trades.push({ at, price, volume });
    before = { at, volume: lifetime };
  }
  return trades;
}
