import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import type { ViewsOfWindow } from './load-views.ts';
import type { MarketReads } from './market-reads.ts';

/** The data that is loaded for the instants of a window. */
export interface KnownOfWindow {
  views: ViewsOfWindow;
  /** Those that the views were loaded from. */
  reads: MarketReads;
  /** The rate definitions in force, by ticker. */
  rates: ReadonlyMap<string, RateDefinition>;
  /** Leaves out what became known later. */
  knownAt?: Instant | undefined;
}
