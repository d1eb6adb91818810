import type { Instant } from '../../model/units.ts';
import type { Reader } from '../../store/store.ts';
import type { MarketReads } from './market-reads.ts';

/** The instants at which something of markets is wanted, and how to read it. */
export interface WantedReads {
  reads: MarketReads;
  /** Ascending, at least one. */
  instants: readonly Instant[];
  /** Ignores what became known later. */
  knownAt: Instant;
}

/**
 * Loads something of some markets at each of some instants.
 *
 * @returns looks it up by market and instant; undefined if it is not known or was not loaded
 */
export function loadAtInstants<Value>(
  reader: Reader,
  marketIds: readonly string[],
  wanted: WantedReads,
  load: (reader: Reader, marketId: string, wanted: WantedReads) => readonly Value[],
): (marketId: string, at: Instant) => Value | undefined {
  const places = new Map(wanted.instants.map((instant, i) => [instant, i]));
  const byMarket = new Map(marketIds.map((id) => [id, load(reader, id, wanted)]));
  return (marketId, at) => byMarket.get(marketId)?.[places.get(at) ?? -1];
}
