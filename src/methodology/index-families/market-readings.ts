import type { Columns } from '../../model/column-room.ts';
import { EXCLUDE_REASONS, MARK_BASES } from '../../model/mark.ts';
import { codeOf } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { ContractHistory } from '../contract-views.ts';
import { type BookLimits, failedBook } from '../marks.ts';
import { blankReadings, fail, type ReadingColumns } from './reading-columns.ts';

const NO_BOOK = codeOf(EXCLUDE_REASONS, 'no_book');
const SETTLEMENT = codeOf(MARK_BASES, 'settlement');
const MID = codeOf(MARK_BASES, 'mid');
const LAST = codeOf(MARK_BASES, 'last');

/**
 * The readings of a market for an index at some instants: the same as `readMarket`, but without creating views.
 *
 * @param history undefined if the catalog has never seen the market
 * @param instants ascending
 */
export function marketReadings(
  limits: BookLimits,
  history: ContractHistory | undefined,
  instants: readonly Instant[],
  into?: Columns,
): ReadingColumns {
  const columns = blankReadings(instants.length, into);
  if (!history) {
    for (let i = 0; i < instants.length; i++) fail(columns, i, NO_BOOK);
    return columns;
  }
  let allGood = true;
  for (let i = 0; i < instants.length; i++) {
    const at = instants[i] as Instant;
    const seen = history.seenAt(at);
    const { status, paid } = seen.life;
    if (paid) {
      allGood = false;
      columns.basis[i] = SETTLEMENT;
      columns.price[i] = paid.payout;
      columns.observed_at[i] = paid.at;
      columns.spread[i] = Number.NaN;
      continue;
    }
    const failed = failedBook(seen, status, at, limits);
    if (failed) {
      allGood = false;
      fail(columns, i, codeOf(EXCLUDE_REASONS, failed));
    } else if (Number.isNaN(seen.book_at)) {
      columns.basis[i] = LAST;
      columns.price[i] = seen.last;
      columns.observed_at[i] = seen.last_at;
      columns.spread[i] = Number.NaN;
    } else {
      // A book that passes has two uncrossed sides.
      columns.basis[i] = MID;
      columns.price[i] = (seen.bid + seen.ask) / 2;
      columns.observed_at[i] = seen.book_at;
      columns.spread[i] = seen.ask - seen.bid;
    }
  }
  return { ...columns, allGood };
}
