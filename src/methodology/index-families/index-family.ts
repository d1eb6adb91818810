import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { DivisorStep, IndexPrint, IndexStanding } from '../../model/print.ts';
import type { IndexInput } from './index-input.ts';
import type { Stretch, StretchInput } from './stretch.ts';

/** What one calculation of an index gives. */
export interface IndexCalculation {
  /** Absent when nothing newer than the last print is known. */
  print?: IndexPrint;
  standing?: IndexStanding;
  steps: DivisorStep[];
}

/** A way of making an index of marks: one file each, listed in index-families.ts. */
export interface IndexFamily<Definition extends IndexDefinition = IndexDefinition> {
  version: string;
  calculate(input: IndexInput<Definition>): IndexCalculation;
  /**
   * The stretch of an index from the i-th of some instants on at which nothing but marks changes, undefined where a step
   * may be due at once. A family without it is calculated instant by instant.
   */
  stretch?(input: StretchInput<Definition>, from: number): Stretch | undefined;
  /** The shares that a definition gives its priced constituents before the first print, in their order. */
  definedShares(definition: Definition): number[];
  /**
   * What a definition prices, as JSON knows it: where it becomes another the index is reconstituted. Absent where names
   * come and go by steps of their own.
   */
  priced?(definition: Definition): unknown;
  /** Whether an index knows when its weights or seats were last set. */
  setsWeights: boolean;
}
