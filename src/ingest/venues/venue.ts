import type { Config } from '../../model/config.ts';
import type { Family } from '../../model/platform.ts';
import type { Instant } from '../../model/units.ts';
import type { Store } from '../../store/store.ts';
import type { Feed } from '../feed.ts';
import type { NamedMarket } from '../named-markets.ts';

/** What a venue gets to collect with. */
export interface VenueRun {
  config: Config;
  store: Store;
  /** The run's instant. */
  now: Instant;
  /** The markets of this family that definitions name. */
  named: readonly NamedMarket[];
  /**
   * Opens a feed, does its work and closes it with its report. What the venue does wrong ends the feed and is
   * told in its report; only a store that cannot be written ends more.
   */
  feed(name: string, work: (feed: Feed) => Promise<void>): Promise<void>;
}

/** A venue's family of contracts: where its catalog, prices and books come from. */
export interface Venue {
  family: Family;
  enabled(config: Config): boolean;
  requestsPerSecond(config: Config): number;
  /** Feeds whose good answer makes the catalog fit to be served. */
  catalogFeeds: readonly string[];
  collect(run: VenueRun): Promise<void>;
}
