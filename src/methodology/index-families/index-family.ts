import type { IndexDefinition } from '../../model/index-definition.ts';
import type { ExcludeReason, MarkBasis } from '../../model/mark.ts';
import type { DivisorStep, IndexPrint, IndexStanding } from '../../model/print.ts';
import type { Instant, Probability } from '../../model/units.ts';
import type { ContractView, FindView } from '../contract-views.ts';
import { failedCheck, isMark, markOf } from '../marks.ts';

/** A constituent as its definition names it, staged ones left out. */
export type Constituent = IndexDefinition['constituents'][number];

/** What an index reads of one constituent at an instant. */
export type Reading =
  | { kind: 'good'; price: Probability; basis: MarkBasis; observed_at: Instant; spread?: Probability }
  | { kind: 'settled'; price: Probability; observed_at: Instant }
  | { kind: 'failed'; reason: ExcludeReason };

/** What one calculation of an index gives. */
export interface IndexCalculation {
  /** Absent when nothing newer than the last print is known. */
  print?: IndexPrint;
  standing?: IndexStanding;
  steps: DivisorStep[];
}

/** All that one calculation of an index is made from. */
export interface IndexInput<Definition extends IndexDefinition = IndexDefinition> {
  definition: Definition;
  at: Instant;
  /** How the index stood after the calculation before; absent before the first print. */
  before?: IndexStanding;
  view: FindView;
  /** The definition changed in what it prices since `before`. Due until a step says that it was done. */
  reconstitute: boolean;
}

/** A way of making an index of marks: one file each, listed in index-families.ts. */
export interface IndexFamily<Definition extends IndexDefinition = IndexDefinition> {
  methodology: Definition['methodology'];
  version: string;
  calculate(input: IndexInput<Definition>): IndexCalculation;
}

/**
 * Reads a constituent for an index: its mark when its book passes every check, its payoff when it has
 * settled, else the check that it fails.
 */
export function readConstituent(
  definition: IndexDefinition,
  view: ContractView | undefined,
  at: Instant,
): Reading {
  if (!view) return { kind: 'failed', reason: 'no_book' };
  if (view.status === 'settled' && view.payout !== undefined)
    return { kind: 'settled', price: view.payout, observed_at: view.settled_at ?? at };
  const reason = failedCheck(view, at, definition.book_check);
  if (reason) return { kind: 'failed', reason };
  const mark = markOf(view);
  if (!isMark(mark)) return { kind: 'failed', reason: 'no_book' };
  const { beyond_quote: _flag, ...reading } = mark;
  return { kind: 'good', ...reading };
}

/** The constituents that are priced: those that are not staged. */
export function pricedConstituents(definition: IndexDefinition): Constituent[] {
  return definition.constituents.filter((each) => each.status === 'included');
}

/**
 * The definition's own shares: fixed weights made to sum to 1, or the same for all.
 *
 * @returns one share for each constituent given, in their order
 */
export function catalogShares(definition: IndexDefinition, constituents: readonly Constituent[]): number[] {
  const weights = constituents.map((each) =>
    definition.weighting.scheme === 'equal' ? 1 : (each.weight ?? 0),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
