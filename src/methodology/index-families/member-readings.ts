import { parsePrintedId } from '../../model/constituent-id.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import type { ExcludeReason, FinalBasis, Mark, MarkBasis } from '../../model/mark.ts';
import { parseInstant, QUIET_AFTER_MS } from '../../model/time.ts';
import { fromCents, type Instant, type Probability } from '../../model/units.ts';
import type { ContractView, Payoff } from '../contract-views.ts';
import { type BookLimits, failedCheck, markOf } from '../marks.ts';
import type { IndexInput, Printed } from './index-input.ts';

/** The reading of one constituent for an index at an instant. */
export type Reading =
  | { kind: 'good'; price: Probability; basis: MarkBasis; observed_at: Instant; spread?: Probability }
  | { kind: 'settled'; price: Probability; basis: FinalBasis; observed_at: Instant }
  | { kind: 'failed'; reason: ExcludeReason };

/** The inputs that decide how constituents are read. */
type MemberInput = Pick<IndexInput, 'definition' | 'at' | 'view' | 'printed'>;

/**
 * Reads a constituent for an index: a market by its book, a rate or an index by its last print, and a deleted
 * constituent by its stated price, unless it had settled by then.
 */
export function readMember(input: MemberInput, id: string): Reading {
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

function readDeleted({ definition, at }: MemberInput, id: string) {
  const deletion = findDeletion(definition, id);
  const observed_at = parseInstant(deletion?.at ?? '');
  if (!deletion || observed_at === undefined || observed_at > at) return undefined;
  return { kind: 'settled', price: fromCents(deletion.price_cents), basis: 'stated', observed_at } as const;
}

function readPriced({ definition, at, view, printed }: MemberInput, id: string): Reading {
  if (parsePrintedId(id)) return readPrinted(printed(id), at);
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
