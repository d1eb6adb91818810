import type { ReceiptLine } from '../model/print.ts';

/**
 * Whether something is newer than at the print before: the observation of a name that enters, its mark, or the state
 * of a name. Without it there is no print, and the series grows quiet. A mark may be another without being newer: when
 * a side of the book is gone, it is the last trade, which was before.
 */
export function isNewer(before: readonly ReceiptLine[], after: readonly ReceiptLine[]): boolean {
  return after.some((line, i) => {
    // Most often both name the same in the same order, and no name stands twice.
    const { market_id } = line;
    const then =
      before[i]?.market_id === market_id ? before[i] : before.find((each) => each.market_id === market_id);
    if (then?.state !== line.state) return true;
    if (line.state !== 'included') return false;
    return line.price !== then.price || (line.observed_at ?? 0) > (then.observed_at ?? 0);
  });
}
