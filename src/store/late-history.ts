import { z } from 'zod';
import type { Instant } from '../model/units.ts';
import { findNote, removeNote, setNote } from './notes.ts';
import type { Reader, Writer } from './store.ts';

/** Prices that arrived after their hours had been calculated, and that no backfill has used yet. */
const lateHistory = z.object({ from: z.number(), noted_at: z.number() });

const FEED = 'history';
const LATE = 'late';

/** Records that prices from an instant on arrived after that time had been calculated. */
export function noteLateHistory(writer: Writer, from: Instant, now: Instant): void {
  const before = findLateHistory(writer) ?? from;
  setNote(writer, FEED, LATE, { from: Math.min(before, from), noted_at: now });
}

/** The instant of the first late price; undefined if there is none. */
export function findLateHistory(reader: Reader): Instant | undefined {
  return findNote(reader, FEED, LATE, lateHistory)?.from;
}

/** Clears the record if all late prices are at or after an instant, from which a backfill has recalculated. */
export function dropLateHistory(writer: Writer, from: Instant): void {
  if ((findLateHistory(writer) ?? Number.NEGATIVE_INFINITY) >= from) removeNote(writer, FEED, LATE);
}

/** Clears a record older than an instant: no backfill has been wanted since. */
export function forgetLateHistory(writer: Writer, before: Instant): void {
  const known = findNote(writer, FEED, LATE, lateHistory);
  if (known && known.noted_at < before) removeNote(writer, FEED, LATE);
}
