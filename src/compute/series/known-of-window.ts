import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import type { ViewsOfWindow } from './load-views.ts';
import type { MarketReads } from './market-reads.ts';

/** The market data loaded for the instants of a window. */
export interface KnownOfMarkets {
  views: ViewsOfWindow;
  /** The reads that the views were loaded with. */
  reads: MarketReads;
  /** Ignores what became known later. */
  knownAt?: Instant | undefined;
}

/** The same, with what an index needs in addition. */
export interface KnownOfWindow extends KnownOfMarkets {
  /** The rate definitions in force, by ticker. */
  rates: ReadonlyMap<string, RateDefinition>;
}
