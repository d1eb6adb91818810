import { rateFamilyOf } from '../../methodology/rate-families/rate-families.ts';
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
import { loadAtInstants, type WantedReads } from './load-at-instants.ts';
import { loadVolumes } from './load-sizes.ts';
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
  knownAt: Instant,
): RateHistory {
  const { needs } = rateFamilyOf(definition);
  if (!needs || instants.length === 0) return NO_HISTORY;
  const ids = definition.sources.map((each) => each.market_id);
  const wanted = { reads, instants, knownAt };
  return needs === 'volume'
    ? { ...NO_HISTORY, volume: loadAtInstants(reader, ids, wanted, loadVolumes) }
    : { ...NO_HISTORY, hour: loadAtInstants(reader, ids, wanted, loadHours) };
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
