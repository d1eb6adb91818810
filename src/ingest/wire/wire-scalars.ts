import { z } from 'zod';
import { parseInstant } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import { cut } from './html.ts';

/**
 * The scalars that venues write, as tolerant schemas: null, '' and a missing key are all absent, a number may
 * be a text. What must be right refuses the row and says what was allowed; what is only shown is left out.
 */

// A missing key comes as undefined, so that each scalar says for itself what that means.
const wire = z.unknown().optional();

/** Why a value is refused. */
class Refusal {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

const READERS = new WeakMap<z.ZodType, (value: unknown) => unknown>();

function scalar<Value>(read: (value: unknown) => Value | Refusal) {
  const schema = wire.transform((value, context): Value => {
    const found = read(value);
    if (!(found instanceof Refusal)) return found;
    context.addIssue({ code: 'custom', message: found.message });
    return z.NEVER;
  });
  READERS.set(schema, read);
  return schema;
}

/**
 * Reads a record by the scalars of its schema without going through the schema, which takes several times as
 * long; only what is no scalar goes through its own.
 *
 * @returns undefined when something is refused: then the schema says what and why
 */
export function readScalars<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> | undefined {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return undefined;
  const row: Record<string, unknown> = {};
  for (const { name, read } of fieldsOf(schema)) {
    const found = read(Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined);
    if (found instanceof Refusal) return undefined;
    row[name] = found;
  }
  return row as z.output<Schema>;
}

interface FieldReader {
  name: string;
  read(value: unknown): unknown;
}

const FIELDS = new WeakMap<z.ZodObject, FieldReader[]>();

function fieldsOf(schema: z.ZodObject): readonly FieldReader[] {
  let fields = FIELDS.get(schema);
  if (!fields) {
    fields = Object.entries<z.ZodType>(schema.shape).map(([name, field]) => ({
      name,
      read: READERS.get(field) ?? ((value) => readBySchema(field, value)),
    }));
    FIELDS.set(schema, fields);
  }
  return fields;
}

function readBySchema(field: z.ZodType, value: unknown): unknown {
  const result = field.safeParse(value);
  return result.success ? result.data : new Refusal('cannot be read');
}

// A dot stands for itself alone, so that no run of digits can be divided in two ways: a venue may write millions of them.
const NUMBER = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$/;
const MOST = 1e15;

function number(allowed: string, most: number) {
  return scalar((value): number | undefined | Refusal => {
    if (value === undefined || value === null || value === '') return undefined;
    const found = numberOf(value, most);
    if (found !== undefined) return found;
    return new Refusal(`must be ${allowed}, got ${shown(value)}`);
  });
}

/** A number, or the text of one, from 0 to `most`; undefined for anything else. */
export function numberOf(value: unknown, most: number): number | undefined {
  const parsed = typeof value === 'string' ? numberOfText(value) : value;
  return typeof parsed === 'number' && parsed >= 0 && parsed <= most ? parsed : undefined;
}

function numberOfText(text: string): number | undefined {
  return numberOfDigits(text) ?? (NUMBER.test(text) ? Number(text) : undefined);
}

/** A text this long has no more digits than a number holds, nor has the power of ten it is divided by. */
const MOST_DIGITS = 15;
const POWERS = Array.from({ length: MOST_DIGITS }, (_none, exponent) => 10 ** exponent);

// Digits, a dot and digits, as most are, in one go: a whole number over a power of ten is the very number that
// the text says, in a quarter of the time.
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

/** A price as a fraction, in dollars or as a probability: 0 to 1. */
export const fraction = number('0 to 1', 1);

/** A price in cents, 0 to 100. */
export const cents = number('0 to 100', 100);

/** A count of contracts, or an amount of money. */
export const amount = number('0 or more', MOST);

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

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? cut(value, LONGEST_TEXT) : undefined;
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
  const parsed = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  // From about 5138 on it is no longer seconds.
  if (typeof parsed === 'number' && Number.isInteger(parsed) && parsed > 0 && parsed < 1e11)
    return parsed * 1000;
  return new Refusal(`must be whole seconds since 1970, got ${shown(value)}`);
});

/** An instant in milliseconds. */
export const epochMillis = scalar((value): Instant | Refusal => {
  const parsed = typeof value === 'string' && NUMBER.test(value) ? Number(value) : value;
  // Below 1973 it is seconds.
  if (typeof parsed === 'number' && Number.isInteger(parsed) && parsed >= 1e11 && parsed < 1e14)
    return parsed;
  return new Refusal(`must be milliseconds since 1970, got ${shown(value)}`);
});

/** A list that may be written as the text of a JSON array; absent when empty text, null or missing. */
export const listOrText = scalar((value): unknown[] | undefined | Refusal => {
  if (value === undefined || value === null || value === '') return undefined;
  const list = typeof value === 'string' ? jsonOf(value) : value;
  if (Array.isArray(list)) return list;
  return new Refusal(`must be a list, got ${shown(value)}`);
});

/** The rows of a page, each still to be looked at; absent when null or missing. */
export const rows = scalar((value): unknown[] | undefined | Refusal => {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value : new Refusal(`must be a list, got ${shown(value)}`);
});

/** Entries of a list within a record at most: a book has ten thousand prices. */
const MOST_ENTRIES = 100_000;

/**
 * A list of records of one kind. It is left at the first that is none: zod goes on to the last, and what it keeps of
 * each takes five hundred times what the venue wrote.
 */
export function listOf<Schema extends z.ZodType>(entry: Schema) {
  return z
    .array(z.unknown())
    .max(MOST_ENTRIES)
    .transform((list, context) => {
      const read: z.output<Schema>[] = [];
      for (const [i, value] of list.entries()) {
        const { data, error } = entry.safeParse(value);
        const issue = error?.issues[0];
        if (issue) {
          context.issues.push({ ...issue, input: value, path: [i, ...issue.path] } as z.core.$ZodRawIssue);
          return z.NEVER;
        }
        read.push(data as z.output<Schema>);
      }
      return read;
    });
}

/** The rows of an answer. Some venues write null for a list of none; an answer without the list has another shape. */
export const answerRows = z
  .array(z.unknown())
  .nullable()
  .transform((list) => list ?? []);

/** What an event is filed under, by label and by slug: Polymarket's newer ones have tags and no category. */
export const tagTexts = listOf(z.object({ label: shownText, slug: shownText }))
  .nullish()
  .catch(undefined)
  .transform((tags) => (tags ?? []).flatMap(({ label, slug }) => [label, slug]))
  .transform((texts) => texts.filter((each) => each !== undefined));

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A value of the wire as a message shows it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text =
    typeof value === 'number' ? String(value) : JSON.stringify(value, (_key, each) => brief(each, value));
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

// What is nested is not shown: a hundred thousand lists in each other are more than a stack holds.
function brief(each: unknown, whole: unknown): unknown {
  return typeof each === 'object' && each !== null && each !== whole ? '…' : each;
}
