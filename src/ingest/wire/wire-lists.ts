import { z } from 'zod';
import { Refusal, scalar } from './scalar.ts';
import { shown } from './shown.ts';
import { shownText } from './wire-scalars.ts';

/** The lists that venues write, as tolerant schemas: of rows, each still to be looked at, or of entries of one record. */

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
export const answerRows = scalar((value): readonly unknown[] | Refusal => {
  if (value === null) return [];
  return Array.isArray(value) ? value : new Refusal(`must be a list, got ${shown(value)}`);
});

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
