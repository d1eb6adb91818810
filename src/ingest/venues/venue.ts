import type { Config } from '../../model/config.ts';
import type { Family } from '../../model/platform.ts';
import type { CollectorRun } from '../collector.ts';
import type { NamedMarket } from '../named-markets.ts';

export interface VenueRun extends CollectorRun {
  named: readonly NamedMarket[];
  /** Native ids, in lower case, of markets that were left out as exchanged: their prices are not asked for. */
  exchanged: Set<string>;
}

/** A venue's family of contracts: where its catalog, prices and books come from. */
export interface Venue {
  family: Family;
  /** Whether a contract of the family belongs to this venue, by its native id; absent if all do. */
  owns?(nativeId: string): boolean;
  enabled(config: Config): boolean;
  requestsPerSecond(config: Config): number;
  collect(run: VenueRun): Promise<void>;
}
