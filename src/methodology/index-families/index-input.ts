import { parsePrintedId } from '../../model/constituent-id.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { ExcludeReason, FinalBasis, Mark, MarkBasis } from '../../model/mark.ts';
import type { IndexPrint, IndexStanding } from '../../model/print.ts';
import { parseInstant, QUIET_AFTER_MS } from '../../model/time.ts';
import { fromCents, type Instant, type Probability } from '../../model/units.ts';
import type { ContractView, FindView, Payoff } from '../contract-views.ts';
import { type BookLimits, failedCheck, markOf } from '../marks.ts';

/** A constituent as given in a definition. */
type Constituent<Definition extends IndexDefinition> = Definition['constituents'][number];

/** The reading of one constituent for an index at an instant. */
export type Reading =
  | { kind: 'good'; price: Probability; basis: MarkBasis; observed_at: Instant; spread?: Probability }
  | { kind: 'settled'; price: Probability; basis: FinalBasis; observed_at: Instant }
  | { kind: 'failed'; reason: ExcludeReason };

/** The last print of a constituent that is a rate or an index. */
export interface Printed {
  /** A rate's price as a fraction, an index's level. */
  value: number;
  at: Instant;
  /** Why a rate's price is none for an index. */
  failed?: ExcludeReason;
  /** Once every source of a rate has settled: their payoffs, by the rate's own shares. Of an index that has ended at 0: 0. */
  paid?: Payoff;
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
  printed?: FindPrinted;
  /** The last level above 0 of another index. */
  lastPositiveLevel?: FindLevel;
  /** The sizes of the markets, for an index that weights by them. */
  sizeOf?: FindSize;
  /** The prints of another index. */
  printsOf?: FindPrints;
  /** The instant already has a print and keeps one, even if nothing changed since the print before. */
  keepsPrint?: boolean;
  /** The definition prices something else than at `before`. Stays due until a step says that it was done. */
  reconstitute: boolean;
}

/**
 * Reads a constituent for an index: a market by its book, a rate or an index by its last print, and a deleted
 * constituent by its stated price, unless it had settled by then.
 */
export function readMember(input: IndexInput, id: string): Reading {
  const reading = readPriced(input, id);
  const deleted = readDeleted(input, id);
  if (!deleted) return reading;
  return reading.kind === 'settled' && reading.observed_at <= deleted.observed_at ? reading : deleted;
}

/** When and at what price a definition deletes a constituent, if it does. */
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

/**
 * A rate or an index is read by its last print, which must not be older than seven days, nor rest on what is no price
 * for an index.
 */
function readPrinted(found: Printed | undefined, at: Instant): Reading {
  if (!found) return { kind: 'failed', reason: 'no_book' };
  if (found.paid) return settledAs(found.paid);
  const { failed } = found;
  // Of several checks the first counts, as for a market.
  if (failed !== 'no_book' && at - found.at > QUIET_AFTER_MS)
    return { kind: 'failed', reason: 'stale_quote' };
  if (failed) return { kind: 'failed', reason: failed };
  return { kind: 'good', price: found.value, basis: 'print', observed_at: found.at };
}

function settledAs({ payout, at }: Payoff): Reading {
  return { kind: 'settled', price: payout, basis: 'settlement', observed_at: at };
}

/**
 * Reads a market for an index: its payoff if it has settled, its mark if its book passes every check, otherwise the
 * first check that it fails.
 */
export function readMarket(limits: BookLimits, view: ContractView | undefined, at: Instant): Reading {
  if (!view) return { kind: 'failed', reason: 'no_book' };
  if (view.paid) return settledAs(view.paid);
  const reason = failedCheck(view, at, limits);
  if (reason) return { kind: 'failed', reason };
  // What passes has two sides or a last trade, and so a mark.
  const { price, basis, observed_at, spread } = markOf(view) as Mark;
  return spread === undefined
    ? { kind: 'good', price, basis, observed_at }
    : { kind: 'good', price, basis, observed_at, spread };
}

/** The priced constituents, that is, all that are not staged. */
export function pricedConstituents<Definition extends IndexDefinition>(
  definition: Definition,
): Constituent<Definition>[] {
  return definition.constituents.filter((each) => each.status === 'included');
}
