import type { z } from 'zod';
import { findCheckpoint, setCheckpoint } from '../store/feeds.ts';
import type { Reader, Writer } from '../store/store.ts';

/** What a feed noted for its next run under a name; what cannot be read as such a note is none. */
export function findNote<Schema extends z.ZodType>(
  reader: Reader,
  feed: string,
  name: string,
  schema: Schema,
): z.output<Schema> | undefined {
  const text = findCheckpoint(reader, feed, name);
  return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data;
}

/** Notes something for a feed's next run. Write it in the transaction of the rows that it speaks of. */
export function setNote(writer: Writer, feed: string, name: string, note: object | number): void {
  setCheckpoint(writer, feed, name, JSON.stringify(note));
}
