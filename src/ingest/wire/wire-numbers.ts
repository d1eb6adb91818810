import { SECOND_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';

/** A number, or the text of one, from 0 to `most`; undefined for anything else. */
export function numberOf(value: unknown, most: number): number | undefined {
  const parsed = typeof value === 'string' ? numberOfText(value) : value;
  return typeof parsed === 'number' && parsed >= 0 && parsed <= most ? parsed : undefined;
}

/** A count of contracts or an amount of money above this is none. */
export const MOST_AMOUNT = 1e15;

/** Whole seconds since 1970 as an instant; undefined for anything else. Beyond about the year 5138 they are milliseconds. */
export function instantOfSeconds(value: unknown): Instant | undefined {
  const seconds = numberOf(value, 1e11 - 1);
  return seconds !== undefined && Number.isInteger(seconds) && seconds > 0 ? seconds * SECOND_MS : undefined;
}

// Digits cannot match in two ways, so a text of millions of digits causes no quadratic backtracking.
const NUMBER = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$/;

/** No number is longer; on millions of characters the pattern may exhaust the stack for backtracking. */
const LONGEST = 1_000;

function numberOfText(text: string): number | undefined {
  return numberOfDigits(text) ?? (text.length <= LONGEST && NUMBER.test(text) ? Number(text) : undefined);
}

/** Integers and powers of ten of up to this many digits are exact in a floating-point number. */
const MOST_DIGITS = 15;
const POWERS = Array.from({ length: MOST_DIGITS }, (_none, exponent) => 10 ** exponent);

// A fast path for plain decimals, which most numbers are: an exact integer divided by an exact power of ten rounds to
// the same number as parsing the text, in a quarter of the time.
function numberOfDigits(text: string): number | undefined {
  const { length } = text;
  if (length === 0 || length > MOST_DIGITS) return undefined;
  let whole = 0;
  let dot = length - 1;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) whole = whole * 10 + code - 48;
    else if (code === 46 && i > 0 && dot === length - 1) dot = i;
    else return undefined;
  }
  return whole / (POWERS[length - 1 - dot] as number);
}
