import { familyOf } from '../../methodology/rate-families/rate-families.ts';
import {
  NO_HISTORY,
  type RateHistory,
  type SourceHour,
} from '../../methodology/rate-families/rate-history.ts';
import { PART_MS } from '../../methodology/rate-families/robust-median.ts';
import { sourceHours } from '../../methodology/source-hours.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { HOUR_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../../store/store.ts';
import { loadVolumes, type WantedReads } from './load-sizes.ts';
import type { MarketReads } from './market-reads.ts';

/**
 * Loads what a rate needs of its sources besides their marks, at some instants. A rate that needs nothing costs
 * nothing.
 *
 * @param instants ascending
 * @param knownAt ignores what became known later
 */
export function loadRateHistory(
  reader: Reader,
  definition: RateDefinition,
  instants: readonly Instant[],
  reads: MarketReads,
  knownAt = Number.POSITIVE_INFINITY,
): RateHistory {
  const { needs } = familyOf(definition);
  if (!needs || instants.length === 0) return NO_HISTORY;
  const places = new Map(instants.map((instant, i) => [instant, i]));
  const wanted = { reads, instants, knownAt };
  const lookUp = <Value>(load: (reader: Reader, marketId: string, wanted: WantedReads) => Value[]) => {
    const loaded = definition.sources.map(
      ({ market_id }) => [market_id, load(reader, market_id, wanted)] as const,
    );
    const byMarket = new Map(loaded);
    return (marketId: string, at: Instant) => byMarket.get(marketId)?.[places.get(at) ?? -1];
  };
  return needs === 'volume'
    ? { ...NO_HISTORY, volume: lookUp(loadVolumes) }
    : { ...NO_HISTORY, hour: lookUp(loadHours) };
}

/**
 * What was known of a market in the hour before each of some instants; empty if the catalog has never seen the market.
 */
function loadHours(
  reader: Reader,
  marketId: string,
  { reads, instants, knownAt }: WantedReads,
): SourceHour[] {
  // Volume traded in the first part of the hour shows as growth since a count that may be up to one part older.
  const from = (instants[0] as Instant) - HOUR_MS - PART_MS;
  const until = instants.at(-1) as Instant;
  const columns = ['bid', 'ask', 'last', 'volume'] as const;
  const prices = reads.prices(reader, marketId, { from, until, carry: 'last', columns, knownAt });
  return prices ? sourceHours(prices, reads.statuses(reader, marketId, knownAt), instants) : [];
}
