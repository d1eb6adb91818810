import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { DivisorStep, IndexPrint, IndexStanding, ReceiptLine } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { IndexInput } from './index-input.ts';
import type { Stretch, StretchInput } from './stretch.ts';

/** The result of one calculation of an index. */
export interface IndexCalculation {
  /** Absent if nothing changed since the last print. */
  print?: IndexPrint;
  standing?: IndexStanding;
  steps: DivisorStep[];
}

/** The result of a family, which need not name its version in each print. */
export interface FamilyCalculation extends Omit<IndexCalculation, 'print'> {
  print?: Omit<IndexPrint, 'methodology_version'>;
}

/** The scheduled events of an index, as they are announced. */
interface Schedule {
  event: 'Rebalance' | 'Reconstitution';
  /** A sentence that says what happens. */
  body: string;
  /** The first event after an instant; Infinity if there is none. */
  next(after: Instant): Instant;
}

/** A methodology for indices: one file each, listed in index-families.ts. */
export interface IndexFamily<Definition extends IndexDefinition = IndexDefinition> {
  version: string;
  /** Whether a change of members moves the level, as its ledger then says. */
  movesByStep?: true;
  /** The first calculation, at or after the base; without a standing when nothing has a price. */
  open(input: IndexInput<Definition>): FamilyCalculation;
  /** A later calculation. @param before the standing after the one before */
  advance(input: IndexInput<Definition>, before: IndexStanding): FamilyCalculation;
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
  /**
   * What a definition schedules; undefined if nothing. Where the family has this method, the standing of an index records
   * when its weights or seats were last set; it is absent where nothing is ever set anew.
   */
  schedule?(definition: Definition): Schedule | undefined;
  /** The ticker of the index at whose level an index may open, besides its constituents. */
  opensFrom?(definition: Definition): string | undefined;
  /** The ticker of the index whose prints in force it follows: where these are restated, so are its own. */
  follows?(definition: Definition): string;
  /** Points of the level for each unit of a line's mark, at a print. */
  pointsPerMark(print: IndexPrint): (line: ReceiptLine) => number;
}
