import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import type { ViewsOfWindow } from './load-views.ts';
import type { MarketReads } from './market-reads.ts';

/** What is loaded of markets for the instants of a window. */
export interface KnownOfMarkets {
  views: ViewsOfWindow;
  /** Those that the views were loaded from. */
  reads: MarketReads;
  /** Leaves out what became known later. */
  knownAt?: Instant | undefined;
}

/** The same with what an index needs besides. */
export interface KnownOfWindow extends KnownOfMarkets {
  /** The rate definitions in force, by ticker. */
  rates: ReadonlyMap<string, RateDefinition>;
}
