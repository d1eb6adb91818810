import { bookGivesWay, type ContractView } from '../methodology/contract-views.ts';
import { isMark, markOf } from '../methodology/marks.ts';
import type { Instant } from '../model/units.ts';
import { listLatestQuotes, setMarketMark } from '../store/catalog/market-marks.ts';
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
      ...(row.last === null || row.last_at === null
        ? {}
        : { last: { price: row.last, observed_at: row.last_at } }),
    };
    if (row.book_at !== null && !bookGivesWay(row.book_at, row.history_at ?? undefined, now))
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
