import { z } from 'zod';
import { addDays, easternDay, easternInstant, utcDay } from '../time.ts';
import type { EasternDay, Instant } from '../units.ts';

/** When an index is rebalanced, by the US Eastern calendar. */
export const rebalanceCalendar = z
  .strictObject({
    every: z.enum(['week', 'month', 'quarter']).describe('quarter: in January, April, July and October'),
    day: z.int().min(1).max(28).describe('Day of the month, 1 to 28; of the week, 1 (Monday) to 7'),
    time: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 10:00')
      .describe('Time of day, US Eastern'),
  })
  .refine(({ every, day }) => every !== 'week' || day <= 7, {
    path: ['day'],
    message: 'must be 1 (Monday) to 7 in a week',
  });

export type RebalanceCalendar = z.output<typeof rebalanceCalendar>;

/**
 * The first rebalance of a calendar after an instant.
 *
 * @example nextRebalance({ every: 'month', day: 1, time: '10:00' }, Date.parse('2026-11-01T15:00:00Z'))
 * // 2026-12-01T15:00:00Z: ten in the morning in New York
 */
export function nextRebalance({ every, day, time }: RebalanceCalendar, after: Instant): Instant {
  let candidate = firstDay(every, day, easternDay(after));
  while (easternInstant(candidate, time) <= after) candidate = following(every, candidate);
  return easternInstant(candidate, time);
}

/** The calendar's day in the week, month or quarter of a given day. */
function firstDay(every: RebalanceCalendar['every'], day: number, today: EasternDay): EasternDay {
  if (every === 'week') return addDays(today, day - (new Date(today).getUTCDay() || 7));
  const month = Number(today.slice(5, 7));
  return dayOf(Number(today.slice(0, 4)), every === 'month' ? month : month - ((month - 1) % 3), day);
}

function following(every: RebalanceCalendar['every'], last: EasternDay): EasternDay {
  if (every === 'week') return addDays(last, 7);
  const [year = 0, month = 0, day = 0] = last.split('-').map(Number);
  return dayOf(year, month + (every === 'month' ? 1 : 3), day);
}

function dayOf(year: number, month: number, day: number): EasternDay {
  return utcDay(Date.UTC(year, month - 1, day));
}
