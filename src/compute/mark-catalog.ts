import type { ContractView } from '../methodology/contract-views.ts';
import { isMark, markOf } from '../methodology/marks.ts';
import { listLatestQuotes, setMarketMark } from '../store/market-marks.ts';
import type { Writer } from '../store/store.ts';

/**
 * Marks every market of the catalog whose book, trade or status is newer than its mark.
 *
 * @returns the number of markets whose mark changed
 */
export function markCatalog(writer: Writer): number {
  let changed = 0;
  for (const row of listLatestQuotes(writer)) {
    const view: ContractView = {
      status: row.status,
      ...(row.payout === null ? {} : { payout: row.payout }),
      ...(row.settled_at === null ? {} : { settled_at: row.settled_at }),
      ...(row.last === null || row.last_at === null
        ? {}
        : { last: { price: row.last, observed_at: row.last_at } }),
    };
    if (row.book_at !== null)
      view.book = {
        observed_at: row.book_at,
        ...(row.bid === null ? {} : { bid: row.bid }),
        ...(row.ask === null ? {} : { ask: row.ask }),
      };
    const mark = markOf(view);
    if (setMarketMark(writer, row.market_key, isMark(mark) ? mark : undefined)) changed++;
  }
  return changed;
}
