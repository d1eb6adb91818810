import type { Config } from '../model/config.ts';
import type { Instant } from '../model/units.ts';
import type { Store } from '../store/store.ts';
import type { Feed } from './feed.ts';

/** What is needed to collect from one place. */
export interface CollectorRun {
  config: Config;
  store: Store;
  /** The run's instant. */
  now: Instant;
  /** Aborted at the deadline, or when the run is to end. */
  signal: AbortSignal;
  /** Aborted when listings have had their share of the time: what is named by definitions is to have the rest. */
  listingTimeUp: AbortSignal;
  /**
   * Opens a feed, does its work and closes it with its report. What the other side does wrong ends the feed and
   * is told in its report; only a store that cannot be written ends more.
   */
  feed(name: string, work: (feed: Feed) => Promise<void>): Promise<void>;
}

/** A place that is asked at its own pace and within its own deadline. */
export interface Collector {
  /** True where all that it reads can be read again: what it writes need not be on the disk before the run's end. */
  repeatable?: true;
  requestsPerSecond(config: Config): number;
  collect(run: CollectorRun): Promise<void>;
}
