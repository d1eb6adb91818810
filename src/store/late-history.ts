import { z } from 'zod';
import type { Instant } from '../model/units.ts';
import { findNote, removeNote, setNote } from './notes.ts';
import type { Reader, Writer } from './store.ts';

/** Prices of hours that had been calculated without them, and that no backfill has calculated with. */
const lateHistory = z.object({ from: z.number(), noted_at: z.number() });

const FEED = 'history';
const LATE = 'late';

/** Notes that prices from an instant on came after that was calculated. */
export function noteLateHistory(writer: Writer, from: Instant, now: Instant): void {
  const before = findLateHistory(writer) ?? from;
  setNote(writer, FEED, LATE, { from: Math.min(before, from), noted_at: now });
}

/** From when on prices came late; undefined where none did. */
export function findLateHistory(reader: Reader): Instant | undefined {
  return findNote(reader, FEED, LATE, lateHistory)?.from;
}

/** Forgets what came late from an instant on: all was calculated with it. */
export function dropLateHistory(writer: Writer, from: Instant): void {
  if ((findLateHistory(writer) ?? Number.NEGATIVE_INFINITY) >= from) removeNote(writer, FEED, LATE);
}

/** Forgets what came late before an instant, since when nobody has wanted it. */
export function forgetLateHistory(writer: Writer, before: Instant): void {
  const known = findNote(writer, FEED, LATE, lateHistory);
  if (known && known.noted_at < before) removeNote(writer, FEED, LATE);
}
