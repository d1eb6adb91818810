import type { z } from 'zod';
import { ForemarkError } from '../../model/errors.ts';
import { readScalars } from './scalar.ts';
import { shown } from './shown.ts';

/** A row that is left out of a page, and why. */
export interface Rejection {
  /** Position in the page, from 0. */
  position: number;
  native_id: string | null;
  /** Path in the row, e.g. `markets.2.yes_bid_dollars`; '' for the whole row. */
  path: string;
  reason: string;
  /** True when the row is fine but of a kind that is not carried. */
  expected?: true;
  /** True when the row may be of another contract, or of another side of it, than its id stood for before. */
  exchanged?: true;
}

/** Where a row is in its page, for the report. */
export interface RowPlace {
  position: number;
  /** Path of the row inside the one at `position`, '' when it is that row itself. */
  within?: string;
  /** The field that names the row. */
  idField: string;
}

/** A parsed page of an answer. */
export interface ReadPage {
  /** Number of its rows, including those left out. */
  read: number;
  rejections: Rejection[];
}

/** With more rows left out an answer is useless, and storing each with its reason would take long. */
const MOST_LEFT_OUT = 100_000;

/** Leaves a row out of its page. @throws ForemarkError invalid_payload when there are too many of them */
export function leaveOut({ rejections }: ReadPage, rejection: Rejection): void {
  if (rejections.length === MOST_LEFT_OUT)
    throw new ForemarkError(
      'invalid_payload',
      `more than ${MOST_LEFT_OUT} rows of an answer were left out, the last one because ${rejection.reason}`,
    );
  rejections.push(rejection);
}

/** Parses one row by its schema; undefined when it is left out of the page, because of its first fault. */
export function readRow<Schema extends z.ZodType>(
  page: ReadPage,
  schema: Schema,
  value: unknown,
  place: RowPlace,
): z.output<Schema> | undefined {
  const plain = readScalars(schema, value);
  if (plain !== undefined) return plain;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.map(String).join('.') ?? '';
  leaveOut(page, reject(value, place, field, `${field || 'row'} ${wrongIn(value, issue)}`));
  return undefined;
}

/** Yields the valid rows of a page, each with its raw value and its place. @param idField the field that names a row */
export function* eachRow<Schema extends z.ZodType>(
  page: ReadPage,
  schema: Schema,
  values: readonly unknown[],
  idField: string,
): Generator<{ row: z.output<Schema>; value: unknown; place: RowPlace }> {
  for (const [position, value] of values.entries()) {
    const place = { position, idField };
    const row = readRow(page, schema, value, place);
    if (row !== undefined) yield { row, value, place };
  }
}

/** How messages name the types that schemas expect. */
const ALLOWED: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['tuple', 'a list'],
  ['object', 'a record'],
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
]);

function wrongIn(row: unknown, issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return 'cannot be read';
  let found: unknown = row;
  for (const name of issue.path)
    found = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined;
  if (issue.code === 'invalid_type')
    return `must be ${ALLOWED.get(issue.expected) ?? issue.expected}, got ${shown(found)}`;
  if (Array.isArray(found) && issue.code === 'too_big')
    return `must have at most ${issue.maximum} entries, got ${found.length}`;
  if (Array.isArray(found) && issue.code === 'too_small')
    return `must have at least ${issue.minimum} entries, got ${found.length}`;
  return issue.message;
}

/** The rejection of a row. */
export function reject(value: unknown, place: RowPlace, field: string, reason: string): Rejection {
  const path = [place.within, field].filter((part) => part).join('.');
  return { position: place.position, native_id: fieldText(value, place.idField), path, reason };
}

/** The text, or the number as text, in a field of an unchecked row; null when there is none. */
export function fieldText(value: unknown, field: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const found: unknown = Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
  const text = typeof found === 'number' ? String(found) : found;
  return typeof text === 'string' && text !== '' ? text.slice(0, 200) : null;
}

/** The list in a field of an unchecked row; empty when there is none. */
export function fieldList(value: unknown, field: string): readonly unknown[] {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
  return Array.isArray(found) ? found : [];
}

/**
 * Parses the envelope of an answer.
 *
 * @throws ForemarkError invalid_payload when the answer has another shape, so that nothing of it can be read
 */
export function readEnvelope<Schema extends z.ZodType>(schema: Schema, json: unknown): z.output<Schema> {
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new ForemarkError(
    'invalid_payload',
    `answer has an unexpected shape: ${issue?.path.map(String).join('.') || 'the whole answer'} ${wrongIn(json, issue)}`,
  );
}
