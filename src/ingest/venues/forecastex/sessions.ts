import { addDays, centralInstant } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';

/** A session ends at this clock time in Chicago, on the day that its file names. */
const SESSION_END = '16:15';
/** Files are published after this clock time. */
const PUBLISHED = '16:30';

const SESSION_ENDS = new Map<string, Instant>();

/** When the session of a day ends. Each row of a file asks for it, and there are few days. */
export function sessionEnd(day: string): Instant {
  let end = SESSION_ENDS.get(day);
  if (end === undefined) {
    end = centralInstant(day, SESSION_END);
    SESSION_ENDS.set(day, end);
  }
  return end;
}

/** The days whose files can be out at an instant, from a day on. */
export function publishedDays(from: string, now: Instant): string[] {
  const days: string[] = [];
  for (let day = from; centralInstant(day, PUBLISHED) <= now; day = addDays(day, 1)) days.push(day);
  return days;
}
