import { addDays, centralInstant } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';

/** A session ends at this time in Chicago, on the day of its file. */
const SESSION_END = '16:15';
/** Files are published after this time in Chicago. */
const PUBLISHED = '16:30';

/** When the session of a day ends. */
export function sessionEnd(day: string): Instant {
  return centralInstant(day, SESSION_END);
}

/** The days from `from` on whose files may be published by now. */
export function publishedDays(from: string, now: Instant): string[] {
  const days: string[] = [];
  for (let day = from; centralInstant(day, PUBLISHED) <= now; day = addDays(day, 1)) days.push(day);
  return days;
}
