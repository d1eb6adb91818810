import { z } from 'zod';
import { Refusal, scalar } from './scalar.ts';
import { shown } from './shown.ts';
import { shownText } from './wire-scalars.ts';

/** Tolerant schemas of venues' lists: of rows that are each parsed later, or of the entries of one record. */

/** A list, or the text of a JSON array; absent when an empty text, null or missing. */
export const listOrText = scalar((value): unknown[] | undefined | Refusal => {
  if (value === undefined || value === null || value === '') return undefined;
  const list = typeof value === 'string' ? jsonOf(value) : value;
  if (Array.isArray(list)) return list;
  return new Refusal(`must be a list, got ${shown(value)}`);
});

/** The rows of a page, each to be parsed later; absent when null or missing. */
export const rows = scalar((value): unknown[] | undefined | Refusal => {
  if (value === undefined || value === null) return undefined;
  return Array.isArray(value) ? value : new Refusal(`must be a list, got ${shown(value)}`);
});

/** Most entries of a list within a record; a book has up to ten thousand prices. */
const MOST_ENTRIES = 100_000;

/**
 * A list of records of one kind. Parsing stops at the first invalid one: zod would go on to the last, and its issues
 * take five hundred times the memory of the text.
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

/** A list that a row can do without: absent when it is missing, or when one of its records is invalid. */
export function optionalListOf<Schema extends z.ZodType>(entry: Schema) {
  return listOf(entry).nullish().catch(undefined);
}

/** The rows of an answer. Some venues write null for an empty list; without the list the answer has another shape. */
export const answerRows = scalar((value): readonly unknown[] | Refusal => {
  if (value === null) return [];
  return Array.isArray(value) ? value : new Refusal(`must be a list, got ${shown(value)}`);
});

/** The cursor of the next page; absent when null, '' or missing. Any other value must not pass for the end of a list. */
export const cursor = scalar((value): string | undefined | Refusal => {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' ? text : new Refusal(`must be a text, got ${shown(value)}`);
});

/** The labels and slugs of an event's tags: Polymarket's newer events have tags and no category. */
export const tagTexts = optionalListOf(z.object({ label: shownText, slug: shownText }))
  .transform((tags) => (tags ?? []).flatMap(({ label, slug }) => [label, slug]))
  .transform((texts) => texts.filter((each) => each !== undefined));

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
