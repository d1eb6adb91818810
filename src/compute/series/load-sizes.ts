import { sizeMeasure } from '../../methodology/index-families/shares.ts';
import { lastKnown, lifetimeVolumes } from '../../methodology/lifetime-volume.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader } from '../../store/store.ts';
import { loadAtInstants, type WantedReads } from './load-at-instants.ts';
import type { WindowInputs } from './window-inputs.ts';

/** How each size of a market is loaded. */
const LOADS = { lifetime_volume: loadVolumes, open_interest: loadOpenInterest };

/**
 * Looks up the sizes of constituents, in the measure that the definition weights by; all undefined if it weights by
 * none.
 */
export function loadSizes(
  reader: Reader,
  definition: IndexDefinition,
  instants: readonly Instant[],
  { reads, knownAt }: WindowInputs,
): (id: string, at: Instant) => number | undefined {
  const measure = sizeMeasure(definition);
  if (measure === null || instants.length === 0) return () => undefined;
  const ids = definition.constituents.map((each) => each.market_id);
  return loadAtInstants(reader, ids, { reads, instants, knownAt }, LOADS[measure]);
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
function loadOpenInterest(
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
