import { lifetimeVolumes } from '../methodology/lifetime-volume.ts';
import { familyOf } from '../methodology/rate-families/rate-families.ts';
import { NO_HISTORY, type RateHistory, type SourceHour } from '../methodology/rate-families/rate-history.ts';
import { sourceHours } from '../methodology/source-hours.ts';
import type { RateDefinition } from '../model/rate-definition.ts';
import { HOUR_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { findMarket, type MarketRow, selectStatuses } from '../store/catalog/catalog.ts';
import { loadTail, selectPrices, type Tail } from '../store/prices/price-reads.ts';
import type { Reader } from '../store/store.ts';

/**
 * Loads what a rate asks of its sources beside their marks, at some instants. A rate that asks for nothing
 * costs nothing; volumes are summed from the first observation on.
 *
 * @param instants ascending
 * @param knownAt leaves out what became known later
 */
export function loadRateHistory(
  reader: Reader,
  definition: RateDefinition,
  instants: readonly Instant[],
  knownAt = Number.POSITIVE_INFINITY,
): RateHistory {
  const { needs } = familyOf(definition);
  if (!needs || instants.length === 0) return NO_HISTORY;
  const markets = definition.sources.flatMap((source) => findMarket(reader, source.market_id) ?? []);
  const tail = loadTail(
    reader,
    markets.map((market) => market.market_key),
  );
  const places = new Map(instants.map((instant, i) => [instant, i]));
  const lookUp = <Value>(load: (market: MarketRow) => Value[]) => {
    const byMarket = new Map(markets.map((market) => [market.market_id, load(market)]));
    return (marketId: string, at: Instant) => byMarket.get(marketId)?.[places.get(at) ?? -1];
  };
  return needs === 'volume'
    ? { ...NO_HISTORY, volume: lookUp((market) => loadVolumes(reader, market, { instants, knownAt, tail })) }
    : { ...NO_HISTORY, hour: lookUp((market) => loadHours(reader, market, { instants, knownAt, tail })) };
}

interface Wanted {
  instants: readonly Instant[];
  knownAt: Instant;
  tail: Tail;
}

function loadVolumes(
  reader: Reader,
  { market_key }: MarketRow,
  { instants, knownAt, tail }: Wanted,
): (number | undefined)[] {
  const span = { from: 0, until: instants.at(-1) as Instant, knownAt, columns: ['volume'] as const };
  return lifetimeVolumes(selectPrices(reader, market_key, span, tail), instants);
}

function loadHours(
  reader: Reader,
  { market_key }: MarketRow,
  { instants, knownAt, tail }: Wanted,
): SourceHour[] {
  const from = (instants[0] as Instant) - HOUR_MS;
  const columns = ['bid', 'ask', 'last', 'volume'] as const;
  const span = { from, until: instants.at(-1) as Instant, carry: true, knownAt, columns };
  const prices = selectPrices(reader, market_key, span, tail);
  const statuses = selectStatuses(reader, market_key).filter((each) => each.observed_at <= knownAt);
  return sourceHours(prices, statuses, instants);
}
