import type { z } from 'zod';
import type { Reader, Writer } from './store.ts';

/** What a feed noted for its next run under a name; what cannot be read as such a note is none. */
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

/** Notes something for a feed's next run. Write it in the transaction of the rows that it speaks of. */
export function setNote(writer: Writer, feed: string, name: string, note: object | number | string): void {
  writer.run(
    `INSERT INTO checkpoints (feed, name, value) VALUES (?, ?, ?)
     ON CONFLICT (feed, name) DO UPDATE SET value = excluded.value`,
    feed,
    name,
    JSON.stringify(note),
  );
}

/** Forgets what a feed noted for its next run. */
export function removeNote(writer: Writer, feed: string, name: string): void {
  writer.run('DELETE FROM checkpoints WHERE feed = ? AND name = ?', feed, name);
}

// Texts were once noted as they are.
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
