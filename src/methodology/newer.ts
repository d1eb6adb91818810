import type { ReceiptLine } from '../model/print.ts';

/**
 * Whether something is newer than at the print before: the observation of a name that enters, or the state of
 * a name. Without it there is no print, and the series grows quiet.
 */
export function isNewer(before: readonly ReceiptLine[], after: readonly ReceiptLine[]): boolean {
  const earlier = new Map(before.map((line) => [line.market_id, line]));
  return after.some((line) => {
    const then = earlier.get(line.market_id);
    if (then?.state !== line.state) return true;
    return line.state === 'included' && (line.observed_at ?? 0) > (then.observed_at ?? 0);
  });
}
