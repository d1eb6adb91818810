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
 * What was known of a contract through the hours that end at some instants.
 *
 * @param prices observations in time order, from an hour before the first instant or earlier
 * @param statuses what the venue was seen to say of it, oldest first
 * @param instants ascending
 * @returns one hour an instant, in their order
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
    // The parts of another hour begin at instants that say nothing of this one.
    views: (viewsUntil[i] as typeof views).filter(
      (each) => seen.has(each.at) || (at - each.at) % PART_MS === 0,
    ),
    trades: tradesUntil[i] as typeof trades,
  }));
}

/** For each instant the items up to it that are in its hour; both in time order, so that one pass is enough. */
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

/** What traded: as the venue told it, and before the first trade that it told, as the quotes did. */
function listTrades(prices: PriceColumns): Traded[] {
  const told = listTold(prices);
  const since = told[0]?.at ?? Number.POSITIVE_INFINITY;
  return [...listGrowth(prices).filter(({ at }) => at < since), ...told];
}

function listTold(prices: PriceColumns): Traded[] {
  const trades: Traded[] = [];
  for (let i = 0; i < prices.observed_at.length; i++) {
    if (prices.series[i] !== TRADES) continue;
    const [at, price, volume] = [prices.observed_at[i], prices.last?.[i], prices.volume?.[i]];
    if (at !== undefined && price !== undefined && volume !== undefined) trades.push({ at, price, volume });
  }
  return trades;
}

/**
 * The growth of the lifetime volume since the quote before, at the last trade. Quotes further apart than a part of
 * the hour do not say in which part it traded.
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
