import type { ReceiptLine } from '../model/print.ts';
import { differs } from './rounding.ts';

/**
 * Whether anything changed since the print before: the observation or mark of an included constituent, or the state of
 * any constituent. If nothing did, there is no print, and the series becomes quiet. A mark may change without a newer
 * observation: when a side of the book disappears, the mark becomes the last trade, which is older.
 */
export function isNewer(before: readonly ReceiptLine[], after: readonly ReceiptLine[]): boolean {
  return after.some((line, i) => {
    // Usually both list the same constituents in the same order. None is listed twice.
    const { market_id } = line;
    const then =
      before[i]?.market_id === market_id ? before[i] : before.find((each) => each.market_id === market_id);
    if (then?.state !== line.state) return true;
    if (line.state !== 'included') return false;
    const isLater = (line.observed_at ?? 0) > (then.observed_at ?? 0);
    return isLater || differs(line.price ?? Number.NaN, then.price ?? Number.NaN);
  });
}
