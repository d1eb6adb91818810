import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import type { ViewsOfWindow } from './load-views.ts';
import type { MarketReads } from './market-reads.ts';

/** The market data loaded for the instants of a window: all that most rates need. */
export interface MarketInputs {
  views: ViewsOfWindow;
  /** The reads that the views were loaded with. */
  reads: MarketReads;
  /** Ignores what became known later. */
  knownAt: Instant;
}

/** The inputs of a window for indices: its market data, and the rates that an index may contain. */
export interface WindowInputs extends MarketInputs {
  /** The rate definitions in force, by ticker. */
  rates: ReadonlyMap<string, RateDefinition>;
}
