import type { DivisorStepReason, ReceiptLine } from '../../model/print.ts';
import type { Reading } from './index-input.ts';

/** A name that is not held yet, with its mark when it has a good one. */
export function enter(market_id: string, reading: Reading): ReceiptLine {
  return mark({ market_id, state: 'unpriced', weight: 0, quantity: 0 }, reading);
}

/** A line with the mark of this instant; one that fails a check keeps its last good mark. */
export function mark(line: ReceiptLine, reading: Reading): ReceiptLine {
  const { market_id, weight, quantity } = line;
  const held = { market_id, weight, quantity };
  if (reading.kind === 'good') {
    const { price, basis, observed_at, spread } = reading;
    const state = quantity > 0 ? 'included' : 'unpriced';
    const marked: ReceiptLine = { market_id, weight, quantity, price, basis, observed_at, state };
    return spread === undefined ? marked : { ...marked, spread };
  }
  if (reading.kind === 'settled')
    return {
      ...held,
      state: 'settled',
      weight: 0,
      price: reading.price,
      basis: reading.basis,
      observed_at: reading.observed_at,
    };
  if (quantity === 0 || line.price === undefined || line.observed_at === undefined)
    return { ...held, state: 'unpriced' };
  const { price, observed_at } = line;
  return { ...held, state: 'excluded', price, basis: 'held', observed_at, exclude_reason: reading.reason };
}

/** The steps that take out names at their last price, in their order. */
export const LAST_STEPS = ['settlement', 'deletion'] as const satisfies DivisorStepReason[];

/** The names that one of these steps takes out. */
export function leavingLines(
  lines: readonly ReceiptLine[],
  reason: (typeof LAST_STEPS)[number],
): ReceiptLine[] {
  return lines.filter(
    ({ state, basis }) => state === 'settled' && (basis === 'stated') === (reason === 'deletion'),
  );
}

/** A line as it stands in the print that takes its name out. */
export function depart(line: ReceiptLine): ReceiptLine {
  return { ...line, state: 'departed', weight: 0 };
}

/** A line that holds a quantity from now on: priced by its mark, if it was not yet. */
export function hold(line: ReceiptLine, quantity: number): ReceiptLine {
  return { ...line, quantity, state: quantity > 0 && line.state === 'unpriced' ? 'included' : line.state };
}

/** Basket value of one line: quantity times mark. */
export function valueOfLine(line: ReceiptLine): number {
  return line.quantity === 0 ? 0 : line.quantity * (line.price ?? 0);
}
