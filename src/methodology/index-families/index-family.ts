import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { DivisorStep, IndexPrint, IndexStanding } from '../../model/print.ts';
import type { IndexInput } from './index-input.ts';
import type { Stretch, StretchInput } from './stretch.ts';

/** The result of one calculation of an index. */
export interface IndexCalculation {
  /** Absent if nothing changed since the last print. */
  print?: IndexPrint;
  standing?: IndexStanding;
  steps: DivisorStep[];
}

/** A methodology for indices: one file each, listed in index-families.ts. */
export interface IndexFamily<Definition extends IndexDefinition = IndexDefinition> {
  version: string;
  calculate(input: IndexInput<Definition>): IndexCalculation;
  /**
   * The stretch of an index from one of some instants on, during which nothing but marks changes; undefined if a step
   * may be due at once. A family without this method is calculated instant by instant.
   *
   * @param from position of the first instant
   */
  stretch?(input: StretchInput<Definition>, from: number): Stretch | undefined;
  /** The shares that a definition gives its priced constituents before the first print, in their order. */
  definedShares(definition: Definition): number[];
  /**
   * What a definition prices, as a JSON value: when it changes, the index is reconstituted. Absent if constituents come
   * and go by steps of their own.
   */
  priced?(definition: Definition): unknown;
  /** Whether the standing of an index records when its weights or seats were last set. */
  setsWeights: boolean;
}
