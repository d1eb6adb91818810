import type { ExcludeReason } from '../../model/mark.ts';
import type { DivisorStepReason, IndexPrint, ReceiptLine } from '../../model/print.ts';
import { isAboveHalfCent, isBelowHalfCent } from '../half-cent.ts';
import type { Reading } from './member-readings.ts';

/** A constituent that is not held yet, with its mark if it has a good one. */
export function enter(market_id: string, reading: Reading): ReceiptLine {
  return mark({ market_id, state: 'unpriced', weight: 0, quantity: 0 }, reading);
}

/** A line with its mark at this instant; one that fails a check keeps its last good mark. */
export function mark(line: ReceiptLine, reading: Reading): ReceiptLine {
  if (reading.kind === 'good') return markedBy(reading, line, line.quantity > 0 ? 'included' : 'unpriced');
  if (reading.kind === 'settled') return markedBy(reading, { ...line, weight: 0 }, 'settled');
  return heldAt(line.quantity > 0 ? line : undefined, line, reading.reason);
}

export function markedBy(
  reading: Exclude<Reading, { kind: 'failed' }>,
  { market_id, weight, quantity }: ReceiptLine,
  state: ReceiptLine['state'],
): ReceiptLine {
  const { price, basis, observed_at } = reading;
  const line: ReceiptLine = { market_id, weight, quantity, price, basis, observed_at, state };
  if (reading.kind === 'good' && reading.spread !== undefined) line.spread = reading.spread;
  return line;
}

/** A line at the last good mark of its constituent, whose book fails a check; unpriced if it never had one. */
export function heldAt(
  last: ReceiptLine | undefined,
  { market_id, weight, quantity }: ReceiptLine,
  exclude_reason: ExcludeReason,
): ReceiptLine {
  const line = { market_id, weight, quantity };
  if (last?.price === undefined || last.observed_at === undefined) return { ...line, state: 'unpriced' };
  const { price, observed_at } = last;
  return { ...line, state: 'excluded', price, basis: 'held', observed_at, exclude_reason };
}

/** The steps that remove constituents at their last price, in order. */
export const LAST_STEPS = ['settlement', 'deletion'] as const satisfies DivisorStepReason[];

/** The constituents that one of these steps removes. */
export function leavingLines(
  lines: readonly ReceiptLine[],
  reason: (typeof LAST_STEPS)[number],
): ReceiptLine[] {
  return lines.filter(
    ({ state, basis }) => state === 'settled' && (basis === 'stated') === (reason === 'deletion'),
  );
}

/** A line as shown in the print by which its constituent leaves. */
export function depart(line: ReceiptLine): ReceiptLine {
  return { ...line, state: 'departed', weight: 0 };
}

/** A line with a new quantity; an unpriced line becomes included if the quantity is above 0. */
export function hold(line: ReceiptLine, quantity: number): ReceiptLine {
  return { ...line, quantity, state: quantity > 0 && line.state === 'unpriced' ? 'included' : line.state };
}

/** Whether a constituent takes what others leave: only if it is live and marked at half a cent or more. */
export function takesProceeds({ state, price = 0 }: ReceiptLine): boolean {
  return state === 'included' && !isBelowHalfCent(price);
}

/** Whether a constituent takes what a purchase below half a cent leaves unspent. */
export function takesUnspent({ price = 0 }: ReceiptLine): boolean {
  return isAboveHalfCent(price);
}

/** Basket value of one line: quantity times mark. */
export function valueOfLine(line: ReceiptLine): number {
  return line.quantity === 0 ? 0 : line.quantity * (line.price ?? 0);
}

/** Points of the level for each unit of a line's mark, of an index that holds quantities. */
export function pointsByQuantity({ divisor }: IndexPrint): (line: ReceiptLine) => number {
  return (line) => line.quantity / divisor;
}
