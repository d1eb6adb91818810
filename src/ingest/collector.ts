import type { Config } from '../model/config.ts';
import type { Instant } from '../model/units.ts';
import type { Store } from '../store/store.ts';
import type { Feed } from './feed.ts';

export interface CollectorRun {
  config: Config;
  store: Store;
  /** The run's instant. */
  now: Instant;
  /** Aborted at the deadline, or when the run is to end. */
  signal: AbortSignal;
  /** Aborted when listings have used their share of the time: the rest is for the markets that definitions name. */
  listingTimeUp: AbortSignal;
  /**
   * Opens a feed, does its work and closes it with its report. A failure of the venue ends only this feed, with a
   * message in its report; a store that cannot be written ends the run.
   */
  feed(name: string, work: (feed: Feed) => Promise<void>): Promise<void>;
}

/** Somewhere to collect from, with its own pace and its own deadline. */
export interface Collector {
  /** True if all that it reads can be fetched again, so that its writes need not be durable before the run's end. */
  repeatable?: true;
  requestsPerSecond(config: Config): number;
  collect(run: CollectorRun): Promise<void>;
}
