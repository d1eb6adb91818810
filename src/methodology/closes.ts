import { addDays, easternDays } from '../model/time.ts';
import type { EasternDay, Instant } from '../model/units.ts';

/**
 * The last print of each US Eastern calendar day that has one, in order. A day that is not over yet is left
 * out.
 *
 * @param prints in time order
 * @param until the instant up to which days count as over
 */
export function dailyCloses<Print extends { at: Instant }>(
  prints: readonly Print[],
  until: Instant,
): { day: EasternDay; print: Print }[] {
  const first = prints[0];
  const last = prints.at(-1);
  if (!first || !last) return [];
  const closes: { day: EasternDay; print: Print }[] = [];
  let next = 0;
  for (const { day, endsAt } of easternDays(first.at, last.at)) {
    let close: Print | undefined;
    while (next < prints.length && (prints[next] as Print).at < endsAt) close = prints[next++];
    if (close && endsAt <= until) closes.push({ day, print: close });
  }
  return closes;
}

/**
 * The two closes that a detail shows: the last completed day's, and the close seven calendar days before it
 * or, failing that, the last one in the seven days before that date.
 *
 * @param closes completed days, in order
 * @see Spec 2.4, previous_close_1d and previous_close_7d
 */
export function previousCloses<Close extends { day: EasternDay }>(
  closes: readonly Close[],
): { oneDay?: Close; sevenDays?: Close } {
  const oneDay = closes.at(-1);
  if (!oneDay) return {};
  const target = addDays(oneDay.day, -7);
  const earliest = addDays(target, -7);
  const sevenDays = closes.findLast((close) => close.day <= target && close.day >= earliest);
  return sevenDays ? { oneDay, sevenDays } : { oneDay };
}
