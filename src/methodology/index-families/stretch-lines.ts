import { CONSTITUENT_STATES, codeOf, type ReceiptLine } from '../../model/print.ts';
import { differs } from '../rounding.ts';
import type { ReadingColumns } from './reading-columns.ts';

/** One constituent throughout a stretch: columns with one value per instant. */
export interface StretchLine {
  quantity: number;
  readings: ReadingColumns;
  /** The mark, or the last good one if the reading fails; 0 for a constituent that is not held. */
  price: Float64Array;
  observed_at: Float64Array;
}

/** Codes of the states that a constituent can have while no step is due. */
export const INCLUDED = codeOf(CONSTITUENT_STATES, 'included');
export const EXCLUDED = codeOf(CONSTITUENT_STATES, 'excluded');
export const UNPRICED = codeOf(CONSTITUENT_STATES, 'unpriced');

/** A constituent throughout a stretch. While its reading fails, it is marked at its last good mark. */
export function lineThrough({ quantity, ...before }: ReceiptLine, readings: ReadingColumns): StretchLine {
  const count = readings.basis.length;
  if (quantity === 0)
    return { quantity, readings, price: new Float64Array(count), observed_at: readings.observed_at };
  if (!everFails(readings))
    return { quantity, readings, price: readings.price, observed_at: readings.observed_at };
  const price = readings.price.slice();
  const observed_at = readings.observed_at.slice();
  for (let i = 0; i < count; i++) {
    if (readings.reason[i] === 0) continue;
    price[i] = i === 0 ? (before.price as number) : (price[i - 1] as number);
    observed_at[i] = i === 0 ? (before.observed_at as number) : (observed_at[i - 1] as number);
  }
  return { quantity, readings, price, observed_at };
}

/** Whether a held constituent fails any reading. */
export function isEverExcluded({ quantity, readings }: StretchLine): boolean {
  return quantity > 0 && everFails(readings);
}

function everFails({ allGood, reason }: ReadingColumns): boolean {
  return !allGood && reason.some(Boolean);
}

/** The marks at instants where a constituent is included, 0 elsewhere. */
export function includedPrices(line: StretchLine): Float64Array {
  if (!isEverExcluded(line)) return line.price;
  return line.price.map((price, i) => (line.readings.reason[i] === 0 ? price : 0));
}

/** At which instants anything changed since the one before, by the rule of `isNewer`. */
export function movedInstants(
  before: readonly ReceiptLine[],
  lines: readonly StretchLine[],
  count: number,
): Uint8Array {
  const moved = new Uint8Array(count);
  const priced = new Uint8Array(count);
  for (const [n, line] of lines.entries()) {
    const earlier = before[n] as ReceiptLine;
    let state = codeOf(CONSTITUENT_STATES, earlier.state);
    let observedAt = earlier.observed_at ?? 0;
    let price = earlier.price ?? Number.NaN;
    for (let i = 0; i < count; i++) {
      const then = state;
      const since = observedAt;
      const was = price;
      state = stateOf(line, i);
      observedAt = line.observed_at[i] as number;
      price = line.price[i] as number;
      if (state === INCLUDED) priced[i] = 1;
      if (state !== then || (state === INCLUDED && (observedAt > since || differs(price, was)))) moved[i] = 1;
    }
    // Usually the first few lines have moved at every instant, and the others cannot change that.
    if (!moved.includes(0) && !priced.includes(0)) return moved;
  }
  for (let i = 0; i < count; i++) if (priced[i] === 0) moved[i] = 0;
  return moved;
}

/** The code of a constituent's state at the i-th instant. */
export function stateOf({ quantity, readings }: StretchLine, i: number): number {
  if (quantity === 0) return UNPRICED;
  return readings.basis[i] === 0 ? EXCLUDED : INCLUDED;
}

/** The mark of a constituent at the last instant. */
export function lastMark({ price, observed_at }: StretchLine): { price: number; observed_at: number } {
  return { price: price.at(-1) as number, observed_at: observed_at.at(-1) as number };
}
