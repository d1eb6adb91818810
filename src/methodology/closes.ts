import { given } from '../model/given.ts';
import { addDays, easternDay } from '../model/time.ts';
import type { EasternDay, Instant } from '../model/units.ts';

/**
 * The close of each US Eastern calendar day that has a print: its last one.
 *
 * @param printed instants of prints, ascending
 */
export function dailyCloses(printed: readonly Instant[]): { day: EasternDay; at: Instant }[] {
  const closes: { day: EasternDay; at: Instant }[] = [];
  let last: { day: EasternDay; at: Instant } | undefined;
  for (const at of printed) {
    const day = easternDay(at);
    if (day === last?.day) last.at = at;
    else {
      last = { day, at };
      closes.push(last);
    }
  }
  return closes;
}

/**
 * The close a number of days before a day or, if there is none, the last one in the seven days before that date.
 *
 * @param closes completed days, in order
 */
export function closeBefore<Close extends { day: EasternDay }>(
  closes: readonly Close[],
  day: EasternDay,
  days: number,
): Close | undefined {
  const target = addDays(day, -days);
  const earliest = addDays(target, -7);
  return closes.findLast((close) => close.day <= target && close.day >= earliest);
}

/**
 * The two closes that a detail shows: the last completed day's, and the one seven days before it.
 *
 * @param closes completed days, in order
 * @see Spec 2.4, previous_close_1d and previous_close_7d
 */
export function previousCloses<Close extends { day: EasternDay }>(
  closes: readonly Close[],
): { oneDay?: Close; sevenDays?: Close } {
  const oneDay = closes.at(-1);
  return given({ oneDay, sevenDays: oneDay && closeBefore(closes, oneDay.day, 7) });
}
