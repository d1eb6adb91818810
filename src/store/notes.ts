import type { z } from 'zod';
import type { Reader, Writer } from './store.ts';

/** The checkpoint that a feed has stored under a name; undefined if there is none or it does not fit the schema. */
export function findNote<Schema extends z.ZodType>(
  reader: Reader,
  feed: string,
  name: string,
  schema: Schema,
): z.output<Schema> | undefined {
  const sql = 'SELECT value FROM checkpoints WHERE feed = ? AND name = ?';
  const text = reader.value<string>(sql, feed, name);
  return text === undefined ? undefined : schema.safeParse(parse(text)).data;
}

/** The checkpoints of a feed that fit the schema, by name in order. */
export function listNotes<Schema extends z.ZodType>(
  reader: Reader,
  feed: string,
  schema: Schema,
): Map<string, z.output<Schema>> {
  const rows = reader.all<{ name: string; value: string }>(
    'SELECT name, value FROM checkpoints WHERE feed = ? ORDER BY name',
    feed,
  );
  return new Map(
    rows.flatMap(({ name, value }): [string, z.output<Schema>][] => {
      const read = schema.safeParse(parse(value));
      return read.success ? [[name, read.data]] : [];
    }),
  );
}

/** Stores a checkpoint for a feed's next run, in the same transaction as the rows that it is about. */
export function setNote(writer: Writer, feed: string, name: string, note: object | number | string): void {
  writer.run(
    `INSERT INTO checkpoints (feed, name, value) VALUES (?, ?, ?)
     ON CONFLICT (feed, name) DO UPDATE SET value = excluded.value`,
    feed,
    name,
    JSON.stringify(note),
  );
}

/** Deletes a checkpoint of a feed. */
export function removeNote(writer: Writer, feed: string, name: string): void {
  writer.run('DELETE FROM checkpoints WHERE feed = ? AND name = ?', feed, name);
}

// Older versions stored strings as they are, not as JSON.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
