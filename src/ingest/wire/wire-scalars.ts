import { parseInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { cut } from './html.ts';
import { Refusal, scalar } from './scalar.ts';
import { shown } from './shown.ts';
import { numberOf } from './wire-numbers.ts';

/**
 * The scalars that venues write, as tolerant schemas: null, '' and a missing key are all absent, a number may
 * be a text. What must be right refuses the row and says what was allowed; what is only shown is left out.
 */

const MOST = 1e15;

function number(allowed: string, most: number) {
  return scalar((value): number | undefined | Refusal =>
    value === undefined ? undefined : numberIn(value, allowed, most),
  );
}

/** A number that may be null and is always told: without it the format is another. */
function toldNumber(allowed: string, most: number) {
  return scalar((value): number | undefined | Refusal => numberIn(value, allowed, most));
}

function numberIn(value: unknown, allowed: string, most: number): number | undefined | Refusal {
  if (value === null || value === '') return undefined;
  return numberOf(value, most) ?? new Refusal(`must be ${allowed}, got ${shown(value)}`);
}

/** A price as a fraction, in dollars or as a probability: 0 to 1. */
export const fraction = number('0 to 1', 1);

/** A price as a fraction that is always told, though it may be null. */
export const toldFraction = toldNumber('0 to 1', 1);

/** A price in cents, 0 to 100. */
export const cents = number('0 to 100', 100);

/** A count of contracts, or an amount of money. */
export const amount = number('0 or more', MOST);

/** A count that is always told. */
export const toldAmount = toldNumber('0 or more', MOST);

/** A number that something is known by. */
export const wholeNumber = scalar((value): number | Refusal => {
  const found = numberOf(value, 999_999_999);
  if (found !== undefined && Number.isInteger(found)) return found;
  return new Refusal(`must be a whole number, got ${shown(value)}`);
});

/** No blanks, no control characters, no half of a pair of UTF-16: not every place would keep these alike. */
const ID = /^[^\s\p{Cc}\p{Cs}]{1,1000}$/u;

/** An id that a row is known by. */
export const nativeId = scalar((value): string | Refusal => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === 'string' && ID.test(text)) return text;
  return new Refusal(`must be an id, got ${shown(value)}`);
});

/** The longest text that is taken in: the rules of a market have some thousand characters, and stand in many documents. */
const LONGEST_TEXT = 20_000;

/** Characters that nobody sees and that turn what stands behind a text from right to left, a price too. */
const TURNING = /\p{Bidi_Control}/gu;

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replace(TURNING, '');
  return text.trim() === '' ? undefined : cut(text, LONGEST_TEXT);
}

/** A text that a row cannot do without. */
export const neededText = scalar((value): string | Refusal => {
  const text = textOf(value);
  if (text !== undefined) return text;
  return new Refusal(`must be a text, got ${shown(value)}`);
});

/** A text that is shown when the venue gives it. */
export const shownText = scalar(textOf);

/** A yes or no, or the text of one; undefined unless the venue says one of them. */
export const flag = scalar((value): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
});

/** An instant in one of the venues' styles. The year 1 of an unset time, and what names no instant, is absent. */
export const instantText = scalar((value): Instant | undefined => {
  const at = typeof value === 'string' ? parseInstant(value) : undefined;
  return at !== undefined && at > 0 ? at : undefined;
});

/** An instant in whole seconds. */
export const epochSeconds = scalar((value): Instant | Refusal => {
  // From about 5138 on it is no longer seconds.
  const found = numberOf(value, 1e11 - 1);
  if (found !== undefined && Number.isInteger(found) && found > 0) return found * 1000;
  return new Refusal(`must be whole seconds since 1970, got ${shown(value)}`);
});

/** An instant in milliseconds. */
export const epochMillis = scalar((value): Instant | Refusal => {
  // Below 1973 it is seconds.
  const found = numberOf(value, 1e14 - 1);
  if (found !== undefined && Number.isInteger(found) && found >= 1e11) return found;
  return new Refusal(`must be milliseconds since 1970, got ${shown(value)}`);
});
