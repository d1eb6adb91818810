import { parsePrintedId } from '../../model/constituent-id.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { ExcludeReason, FinalBasis, MarkBasis } from '../../model/mark.ts';
import type { IndexPrint, IndexStanding } from '../../model/print.ts';
import { parseInstant, QUIET_AFTER_MS } from '../../model/time.ts';
import { fromCents, type Instant, type Probability } from '../../model/units.ts';
import type { ContractView, FindView } from '../contract-views.ts';
import { type BookLimits, failedCheck, isMark, markOf } from '../marks.ts';

/** A constituent as its definition names it. */
type Constituent<Definition extends IndexDefinition> = Definition['constituents'][number];

/** What an index reads of one constituent at an instant. */
export type Reading =
  | { kind: 'good'; price: Probability; basis: MarkBasis; observed_at: Instant; spread?: Probability }
  | { kind: 'settled'; price: Probability; basis: FinalBasis; observed_at: Instant }
  | { kind: 'failed'; reason: ExcludeReason };

/** What a rate or an index that is a constituent has printed by an instant. */
export interface Printed {
  /** A rate's price as a fraction, an index's level. */
  value: number;
  at: Instant;
  /** When every source of a rate has settled: what they pay, in the rate's own shares. */
  paid?: { payout: Probability; at: Instant };
}

/** Looks up what a rate or index has printed, by its id among the constituents. */
export type FindPrinted = (id: string) => Printed | undefined;

/** Looks up the last level above 0 that an index printed from one instant to another. */
export type FindLevel = (ticker: string, from: Instant, until: Instant) => number | undefined;

/** Looks up the prints of an index from one instant to another, with the one in force at the first. */
type FindPrints = (ticker: string, from: Instant, until: Instant) => IndexPrint[];

/** How large a market is at an instant, in the measure of the definition's scheme; undefined when not known. */
export type FindSize = (marketId: string) => number | undefined;

/** All that one calculation of an index is made from. */
export interface IndexInput<Definition extends IndexDefinition = IndexDefinition> {
  definition: Definition;
  at: Instant;
  /** How the index stood after the calculation before; absent before the first print. */
  before?: IndexStanding | undefined;
  view: FindView;
  /** What the rates and indices among the constituents have printed. */
  printed?: FindPrinted;
  /** The last level above 0 of another index between two instants, both included. */
  lastPositiveLevel?: FindLevel;
  /** How large the markets are, in an index that weighs by it. */
  sizeOf?: FindSize;
  /** The prints of another index from one instant to another, and the one in force at the first. */
  printsOf?: FindPrints;
  /** The instant has a print already and keeps one, whether or not something is newer. */
  keepsPrint?: boolean;
  /** The definition changed in what it prices since `before`. Due until a step says that it was done. */
  reconstitute: boolean;
}

/**
 * Reads a constituent for an index: a market by its book, a rate or an index by its last print, a name that was
 * deleted by the price stated for it, unless it had settled by then.
 */
export function readMember(input: IndexInput, id: string): Reading {
  const reading = readPriced(input, id);
  const deleted = readDeleted(input, id);
  if (!deleted) return reading;
  return reading.kind === 'settled' && reading.observed_at <= deleted.observed_at ? reading : deleted;
}

/** When and at what price a definition takes a name out, if it does. */
export function findDeletion(definition: IndexDefinition, id: string) {
  if (!('deletions' in definition)) return undefined;
  return definition.deletions?.find((each) => each.market_id === id);
}

function readDeleted({ definition, at }: IndexInput, id: string) {
  const deletion = findDeletion(definition, id);
  const observed_at = parseInstant(deletion?.at ?? '');
  if (!deletion || observed_at === undefined || observed_at > at) return undefined;
  return { kind: 'settled', price: fromCents(deletion.price_cents), basis: 'stated', observed_at } as const;
}

function readPriced({ definition, at, view, printed }: IndexInput, id: string): Reading {
  if (parsePrintedId(id)) return readPrinted(printed?.(id), at);
  return 'book_check' in definition
    ? readMarket(definition.book_check, view(id), at)
    : { kind: 'failed', reason: 'no_book' };
}

/** A rate or an index enters by its last print while that is no older than seven days. */
function readPrinted(found: Printed | undefined, at: Instant): Reading {
  if (!found) return { kind: 'failed', reason: 'no_book' };
  if (found.paid)
    return { kind: 'settled', price: found.paid.payout, basis: 'settlement', observed_at: found.paid.at };
  if (at - found.at > QUIET_AFTER_MS) return { kind: 'failed', reason: 'stale_quote' };
  return { kind: 'good', price: found.value, basis: 'print', observed_at: found.at };
}

/**
 * Reads a market for an index: its mark when its book passes every check, its payoff when it has settled,
 * else the check that it fails.
 */
export function readMarket(limits: BookLimits, view: ContractView | undefined, at: Instant): Reading {
  if (!view) return { kind: 'failed', reason: 'no_book' };
  if (view.status === 'settled' && view.payout !== undefined)
    return {
      kind: 'settled',
      price: view.payout,
      basis: 'settlement',
      observed_at: view.settled_at ?? at,
    };
  const reason = failedCheck(view, at, limits);
  if (reason) return { kind: 'failed', reason };
  const mark = markOf(view);
  if (!isMark(mark)) return { kind: 'failed', reason: 'no_book' };
  const { price, basis, observed_at, spread } = mark;
  return spread === undefined
    ? { kind: 'good', price, basis, observed_at }
    : { kind: 'good', price, basis, observed_at, spread };
}

/** The constituents that are priced: those that are not staged. */
export function pricedConstituents<Definition extends IndexDefinition>(
  definition: Definition,
): Constituent<Definition>[] {
  return definition.constituents.filter((each) => each.status === 'included');
}
