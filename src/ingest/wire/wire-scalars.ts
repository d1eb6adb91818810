import { withoutControls } from '../../model/control-characters.ts';
import { parseInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { cut } from './plain-text.ts';
import { Refusal, scalar } from './scalar.ts';
import { shown } from './shown.ts';
import { instantOfSeconds, MOST_AMOUNT, numberOf } from './wire-numbers.ts';

/**
 * Tolerant schemas of venues' scalars: null, '' and a missing key all mean absent, and a number may be a text. A bad
 * value that matters refuses the row and says what is allowed; one that is only displayed is dropped.
 */

function number(allowed: string, most: number) {
  return scalar((value): number | undefined | Refusal =>
    value === undefined ? undefined : numberIn(value, allowed, most),
  );
}

/** A number that may be null but whose key must be there: without it the format has changed. */
function nullableNumber(allowed: string, most: number) {
  return scalar((value): number | undefined | Refusal => numberIn(value, allowed, most));
}

function numberIn(value: unknown, allowed: string, most: number): number | undefined | Refusal {
  if (value === null || value === '') return undefined;
  return numberOf(value, most) ?? new Refusal(`must be ${allowed}, got ${shown(value)}`);
}

/** A price as a fraction, in dollars or as a probability: 0 to 1. */
export const fraction = number('0 to 1', 1);

/** A price as a fraction, 0 to 1, that may be null but not missing. */
export const nullableFraction = nullableNumber('0 to 1', 1);

/** A price in cents, 0 to 100. */
export const cents = number('0 to 100', 100);

/** A count of contracts, or an amount of money. */
export const amount = number('0 or more', MOST_AMOUNT);

/** A count that may be null but not missing. */
export const nullableAmount = nullableNumber('0 or more', MOST_AMOUNT);

/** A number that serves as an id. */
export const wholeNumber = scalar((value): number | Refusal => {
  const found = numberOf(value, 999_999_999);
  if (found !== undefined && Number.isInteger(found)) return found;
  return new Refusal(`must be a whole number, got ${shown(value)}`);
});

/**
 * No white space, control characters or lone surrogates, which may not survive in URLs, files and databases; no invisible
 * characters, which turn the text that follows, or make two ids look like one.
 */
const ID = /^[^\s\p{Cc}\p{Cs}\p{Cf}]{1,1000}$/u;

/** The id of a row. */
export const nativeId = scalar((value): string | Refusal => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === 'string' && ID.test(text)) return text;
  return new Refusal(`must be an id, got ${shown(value)}`);
});

/** Longer texts are cut: the rules of a market have some thousand characters, and are part of many documents. */
const LONGEST_TEXT = 20_000;

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = withoutControls(value);
  return text.trim() === '' ? undefined : cut(text, LONGEST_TEXT);
}

/** A required text. */
export const neededText = scalar((value): string | Refusal => {
  const text = textOf(value);
  if (text !== undefined) return text;
  return new Refusal(`must be a text, got ${shown(value)}`);
});

/** An optional text, for display. */
export const shownText = scalar(textOf);

/** A boolean, or the text of one; undefined for anything else. */
export const flag = scalar((value): boolean | undefined => {
  if (typeof value === 'boolean') return value;
  return value === 'true' ? true : value === 'false' ? false : undefined;
});

/** An instant in one of the venues' formats. The year 1, which stands for an unset time, and other texts are absent. */
export const instantText = scalar((value): Instant | undefined => {
  const at = typeof value === 'string' ? parseInstant(value) : undefined;
  return at !== undefined && at > 0 ? at : undefined;
});

/** An instant in whole seconds. */
export const epochSeconds = scalar(
  (value): Instant | Refusal =>
    instantOfSeconds(value) ?? new Refusal(`must be whole seconds since 1970, got ${shown(value)}`),
);

/** An instant in milliseconds. */
export const epochMillis = scalar((value): Instant | Refusal => {
  // Below this, in 1973, the number is seconds.
  const found = numberOf(value, 1e14 - 1);
  if (found !== undefined && Number.isInteger(found) && found >= 1e11) return found;
  return new Refusal(`must be milliseconds since 1970, got ${shown(value)}`);
});
