import { lastKnown, lifetimeVolumes } from '../../methodology/lifetime-volume.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../../store/store.ts';
import type { MarketReads } from './market-reads.ts';

/** The instants at which sizes of markets are wanted, and how to read them. */
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

/**
 * The lifetime volume of a market at each of some instants. A volume reported by the venue includes everything traded
 * before it, so nothing older is read.
 *
 * @returns in the venue's own unit; undefined if no volume is known
 */
export function loadVolumes(
  reader: Reader,
  marketId: string,
  { reads, instants, knownAt }: WantedReads,
): (number | undefined)[] {
  const [first, until] = [instants[0] as Instant, instants.at(-1) as Instant];
  const volume = ['volume'] as const;
  const asked = { series: 'quote', from: first, until: first, carry: 'volume', columns: volume } as const;
  const counts = reads.prices(reader, marketId, { ...asked, knownAt });
  const counted = counts?.volume?.findLastIndex((count) => !Number.isNaN(count)) ?? -1;
  const from = counts?.observed_at[counted] ?? 0;
  const prices = reads.prices(reader, marketId, { from, until, columns: volume, knownAt });
  return prices ? lifetimeVolumes(prices, instants) : [];
}

/** The open interest of a market at each of some instants; undefined if none is known. */
export function loadOpenInterest(
  reader: Reader,
  marketId: string,
  { reads, instants, knownAt }: WantedReads,
): (number | undefined)[] {
  const [from, until] = [instants[0] as Instant, instants.at(-1) as Instant];
  const columns = ['open_interest'] as const;
  const span = { from, until, carry: 'open_interest', columns, knownAt } as const;
  const prices = reads.prices(reader, marketId, span);
  return prices ? lastKnown(prices, 'open_interest', instants) : [];
}
