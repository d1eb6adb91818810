import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { ExcludeReason } from '../../model/mark.ts';
import type { IndexPrint, IndexStanding } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { FindView, Payoff } from '../contract-views.ts';

/** The last print of a constituent that is a rate or an index. */
export interface Printed {
  /** A rate's price as a fraction, an index's level. */
  value: number;
  at: Instant;
  /** Why a rate's price is none for an index. */
  failed?: ExcludeReason;
  /** Once every source of a rate has settled: their payoffs, by the rate's own shares. Of an index that has ended at 0: 0. */
  paid?: Payoff;
  /**
   * What a holding from the print of an earlier instant is worth for each unit, where steps have moved the index since
   * without a move of its prices: its level without them. Undefined if none has; absent if none ever did.
   */
  linkedSince?: (since: Instant) => number | undefined;
}

/** Looks up the last print of a rate or index, by its id among the constituents. */
export type FindPrinted = (id: string) => Printed | undefined;

/** Looks up the last level above 0 that an index printed between two instants, both included. */
export type FindLevel = (ticker: string, from: Instant, until: Instant) => number | undefined;

/** Looks up the prints of an index between two instants, and the one in force at the first. */
type FindPrints = (ticker: string, from: Instant, until: Instant) => IndexPrint[];

/** The size of a market at an instant, in the measure of the definition's scheme; undefined if unknown. */
export type FindSize = (marketId: string) => number | undefined;

/** All inputs of one calculation of an index. */
export interface IndexInput<Definition extends IndexDefinition = IndexDefinition> {
  definition: Definition;
  at: Instant;
  /** The standing after the previous calculation; absent before the first print. */
  before?: IndexStanding | undefined;
  view: FindView;
  /** The prints of the rates and indices among the constituents. */
  printed: FindPrinted;
  /** The last level above 0 of another index. */
  lastPositiveLevel: FindLevel;
  /** The sizes of the markets, for an index that weights by them. */
  sizeOf: FindSize;
  /** The prints of another index. */
  printsOf: FindPrints;
  /** The instant already has a print and keeps one, even if nothing changed since the print before. */
  keepsPrint?: boolean;
  /** The definition prices something else than at `before`. Stays due until a step says that it was done. */
  reconstitute: boolean;
}
