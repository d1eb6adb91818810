import { bookGivesWay, type ContractView } from '../methodology/contract-views.ts';
import { isMark, markOf } from '../methodology/marks.ts';
import type { Instant } from '../model/units.ts';
import { type LatestQuoteRow, listLatestQuotes, setMarketMark } from '../store/catalog/market-marks.ts';
import type { Writer } from '../store/store.ts';

/**
 * Marks every market of the catalog as of an instant.
 *
 * @returns the number of markets whose mark changed
 */
export function markCatalog(writer: Writer, now: Instant): number {
  let changed = 0;
  for (const row of listLatestQuotes(writer)) {
    const view: ContractView = {
      status: row.status,
      ...(row.payout === null ? {} : { payout: row.payout }),
      ...(row.settled_at === null ? {} : { settled_at: row.settled_at }),
    };
    if (row.book_at !== null && !bookGivesWay(row.book_at, row.history_at ?? undefined, now))
      view.book = {
        observed_at: row.book_at,
        ...(row.bid === null ? {} : { bid: row.bid }),
        ...(row.ask === null ? {} : { ask: row.ask }),
      };
    const last = lastOf(row, view.book !== undefined);
    if (last) view.last = last;
    const mark = markOf(view);
    if (setMarketMark(writer, row.market_key, isMark(mark) ? mark : undefined)) changed++;
  }
  return changed;
}

/** The last trade; of a market without a book that counts, the newest point of its price history where that is newer. */
function lastOf(row: LatestQuoteRow, hasBook: boolean): ContractView['last'] {
  const { last, last_at, point, point_at } = row;
  const isPoint = !hasBook && (point_at ?? 0) >= (last_at ?? 0);
  const [price, observed_at] = isPoint ? [point, point_at] : [last, last_at];
  return price === null || observed_at === null ? undefined : { price, observed_at };
}
