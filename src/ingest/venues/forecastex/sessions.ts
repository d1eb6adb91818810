import { addDays, centralInstant } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';

/** A session ends at this time in Chicago, on the day of its file. */
const SESSION_END = '16:15';
/** Files are published after this time in Chicago. */
const PUBLISHED = '16:30';

const SESSION_ENDS = new Map<string, Instant>();

/** When the session of a day ends; cached, since each row of a file needs it and there are few days. */
export function sessionEnd(day: string): Instant {
  let end = SESSION_ENDS.get(day);
  if (end === undefined) {
    end = centralInstant(day, SESSION_END);
    SESSION_ENDS.set(day, end);
  }
  return end;
}

/** The days from `from` on whose files may be published by now. */
export function publishedDays(from: string, now: Instant): string[] {
  const days: string[] = [];
  for (let day = from; centralInstant(day, PUBLISHED) <= now; day = addDays(day, 1)) days.push(day);
  return days;
}
