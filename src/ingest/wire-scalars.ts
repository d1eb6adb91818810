import { z } from 'zod';
import { parseInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';

/**
 * The scalars that venues write, as tolerant schemas: null, '' and a missing key are all absent, a number may
 * be a text. What must be right refuses the row and says what was allowed; what is only shown is left out.
 */

// A missing key comes as undefined, so that each scalar says for itself what that means.
const wire = z.unknown().optional();

const NUMBER = /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/;
const MOST = 1e15;

function number(allowed: string, most: number) {
  return wire.transform((value, context): number | undefined => {
    if (value === undefined || value === null || value === '') return undefined;
    const parsed = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
    if (typeof parsed === 'number' && parsed >= 0 && parsed <= most) return parsed;
    context.addIssue({ code: 'custom', message: `must be ${allowed}, got ${shown(value)}` });
    return z.NEVER;
  });
}

/** A price as a fraction, in dollars or as a probability: 0 to 1. */
export const fraction = number('0 to 1', 1);

/** A price in cents, 0 to 100. */
export const cents = number('0 to 100', 100);

/** A count of contracts, or an amount of money. */
export const amount = number('0 or more', MOST);

/** An id that a row is known by. */
export const nativeId = wire.transform((value, context): string => {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text === 'string' && /^\S{1,1000}$/.test(text)) return text;
  context.addIssue({ code: 'custom', message: `must be an id, got ${shown(value)}` });
  return z.NEVER;
});

/** A text that a row cannot do without. */
export const neededText = wire.transform((value, context): string => {
  if (typeof value === 'string' && value.trim() !== '') return value;
  context.addIssue({ code: 'custom', message: `must be a text, got ${shown(value)}` });
  return z.NEVER;
});

/** A text that is shown when the venue gives it. */
export const shownText = wire.transform((value): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined,
);

/** A yes or no that is undefined unless the venue says one of them. */
export const flag = wire.transform((value): boolean | undefined =>
  typeof value === 'boolean' ? value : undefined,
);

/** An instant in one of the venues' styles. The year 1 of an unset time, and what names no instant, is absent. */
export const instantText = wire.transform((value): Instant | undefined => {
  const at = typeof value === 'string' ? parseInstant(value) : undefined;
  return at !== undefined && at > 0 ? at : undefined;
});

/** An instant in whole seconds. */
export const epochSeconds = wire.transform((value, context): Instant => {
  const parsed = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  // From about 5138 on it is no longer seconds.
  if (typeof parsed === 'number' && Number.isInteger(parsed) && parsed > 0 && parsed < 1e11)
    return parsed * 1000;
  context.addIssue({ code: 'custom', message: `must be whole seconds since 1970, got ${shown(value)}` });
  return z.NEVER;
});

/** An instant in milliseconds. */
export const epochMillis = wire.transform((value, context): Instant => {
  const parsed = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  // Below 1973 it is seconds.
  if (typeof parsed === 'number' && Number.isInteger(parsed) && parsed >= 1e11 && parsed < 1e14)
    return parsed;
  context.addIssue({ code: 'custom', message: `must be milliseconds since 1970, got ${shown(value)}` });
  return z.NEVER;
});

/** A list that may be written as the text of a JSON array; absent when empty text, null or missing. */
export const listOrText = wire.transform((value, context): unknown[] | undefined => {
  if (value === undefined || value === null || value === '') return undefined;
  const list = typeof value === 'string' ? jsonOf(value) : value;
  if (Array.isArray(list)) return list;
  context.addIssue({ code: 'custom', message: `must be a list, got ${shown(value)}` });
  return z.NEVER;
});

/** The rows of a page, each still to be looked at; absent when null or missing. */
export const rows = z
  .array(z.unknown())
  .nullish()
  .transform((value) => value ?? undefined);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value of the wire as a message shows it. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
