import { BOOK_GIVES_WAY_MS, bookGivesWay, type ContractView } from '../methodology/contract-views.ts';
import { isMark, markOf } from '../methodology/marks.ts';
import { given } from '../model/given.ts';
import type { Mark } from '../model/mark.ts';
import type { Instant } from '../model/units.ts';
import {
  listUnmarked,
  noteMarked,
  setMarketMark,
  type UnmarkedMarketRow,
  unmarkAgedBooks,
} from '../store/catalog/market-marks.ts';
import type { Writer } from '../store/store.ts';

/** Markets read at a time. */
const BATCH = 5_000;

/**
 * Updates the marks of the catalog to an instant: those of markets that have changed, and of those whose order book has
 * become too old since.
 *
 * @param since the instant of the last update; undefined if there was none
 * @returns the number of markets whose mark changed
 */
export function markCatalog(writer: Writer, now: Instant, since: Instant | undefined): number {
  unmarkAgedBooks(writer, (since ?? 0) - BOOK_GIVES_WAY_MS, now - BOOK_GIVES_WAY_MS);
  let changed = 0;
  for (;;) {
    const rows = listUnmarked(writer, BATCH);
    for (const row of rows) if (setMarketMark(writer, row.market_key, catalogMarkOf(row, now))) changed++;
    const last = rows.at(-1);
    if (!last) return changed;
    noteMarked(writer, last.market_key);
  }
}

/** The mark of a market in the catalog; undefined if the market is not listed, or nothing is known of its price. */
function catalogMarkOf(row: UnmarkedMarketRow, now: Instant): Mark | undefined {
  const { status, payout, paid_at, book_at, history_at, bid, ask } = row;
  if (status === null) return undefined;
  const view: ContractView = {
    status,
    ...(payout === null || paid_at === null ? {} : { paid: { payout, at: paid_at } }),
  };
  if (book_at !== null && !bookGivesWay(book_at, history_at ?? undefined, now))
    view.book = { observed_at: book_at, ...given({ bid, ask }) };
  const last = lastOf(row, view.book !== undefined);
  if (last) view.last = last;
  const mark = markOf(view);
  return isMark(mark) ? mark : undefined;
}

/**
 * The last trade, or for a market without a usable order book the newest point of its price history, if that is newer.
 */
function lastOf(row: UnmarkedMarketRow, hasBook: boolean): ContractView['last'] {
  const { last, last_at, point, point_at } = row;
  const isPoint = !hasBook && (point_at ?? 0) >= (last_at ?? 0);
  const [price, observed_at] = isPoint ? [point, point_at] : [last, last_at];
  return price === null || observed_at === null ? undefined : { price, observed_at };
}
