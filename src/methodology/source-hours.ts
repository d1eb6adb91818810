import type { SeenStatus } from '../model/catalog.ts';
import { type PriceColumns, SERIES } from '../model/observation.ts';
import { HOUR_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { ContractHistory } from './contract-views.ts';
import type { SourceHour } from './rate-families/rate-history.ts';
import { PART_MS, PARTS } from './rate-families/robust-median.ts';

const QUOTE = SERIES.indexOf('quote');
const TRADES = SERIES.indexOf('trades');

/**
 * What was known of a contract during the hours that end at some instants.
 *
 * @param prices observations in time order, from an hour before the first instant or earlier
 * @param statuses as the venue reported them, oldest first
 * @param instants ascending
 * @returns one hour per instant, in their order
 */
export function sourceHours(
  prices: PriceColumns,
  statuses: readonly SeenStatus[],
  instants: readonly Instant[],
): SourceHour[] {
  const trades = listTrades(prices);
  const starts = instants.flatMap((at) =>
    Array.from({ length: PARTS }, (_none, part) => at - HOUR_MS + part * PART_MS),
  );
  const seen = new Set([...prices.observed_at, ...statuses.map((each) => each.observed_at)]);
  const wanted = [...new Set([...starts, ...seen])].sort((a, b) => a - b);
  const history = new ContractHistory(prices, statuses);
  const views = wanted.map((at) => ({ at, view: history.viewAt(at) }));
  const viewsUntil = sweep(views, instants, (view, at) => view.at >= at - HOUR_MS);
  const tradesUntil = sweep(trades, instants, (trade, at) => trade.at > at - HOUR_MS);
  return instants.map((at, i) => ({
    // Leaves out the beginnings of the parts of other hours.
    views: (viewsUntil[i] as typeof views).filter(
      (each) => seen.has(each.at) || (at - each.at) % PART_MS === 0,
    ),
    trades: tradesUntil[i] as typeof trades,
  }));
}

/** For each instant, the items in the hour that ends there. Both are in time order, so one pass is enough. */
function sweep<Item extends { at: Instant }>(
  items: readonly Item[],
  instants: readonly Instant[],
  isInHour: (item: Item, at: Instant) => boolean,
): Item[][] {
  let from = 0;
  let to = 0;
  return instants.map((at) => {
    while (to < items.length && (items[to] as Item).at <= at) to++;
    while (from < to && !isInHour(items[from] as Item, at)) from++;
    return items.slice(from, to);
  });
}

type Traded = SourceHour['trades'][number];

/** All trades: those reported by the venue, and before the first of these, those inferred from quotes. */
function listTrades(prices: PriceColumns): Traded[] {
  const reported = listReported(prices);
  const since = reported[0]?.at ?? Number.POSITIVE_INFINITY;
  return [...listGrowth(prices).filter(({ at }) => at < since), ...reported];
}

function listReported(prices: PriceColumns): Traded[] {
  const trades: Traded[] = [];
  for (let i = 0; i < prices.observed_at.length; i++) {
    if (prices.series[i] !== TRADES) continue;
    const at = prices.observed_at[i] as Instant;
    trades.push({ at, price: prices.last?.[i] as number, volume: prices.volume?.[i] as number });
  }
  return trades;
}

/**
 * Trades inferred from quotes: the growth of the lifetime volume since the quote before, at the last trade price. If
 * two quotes are further apart than one part of the hour, it is unknown in which part the trade occurred, and it is
 * left out.
 */
function listGrowth(prices: PriceColumns): Traded[] {
  const trades: Traded[] = [];
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
