/** The world's calendar: fixed instants, so that the same seed gives the same bytes on any day it is run. */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** First instant of the world's history. */
export const WORLD_EPOCH = Date.UTC(2026, 6, 1);

/** The demo's clock: 120 days and a half after the epoch. */
export const DEMO_NOW = Date.UTC(2026, 9, 29, 12);

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

/** Instant as RFC 3339 UTC without fraction when it is a whole second, as both venues write it. */
export function iso(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** Midnight UTC of the day an instant lies in. */
export function startOfDay(at: number): number {
  return Math.floor(at / DAY) * DAY;
}

/** Day as venue tickers write it: 2026-10-29 is `26OCT29`. */
export function dayToken(at: number): string {
  return `${monthToken(at)}${String(new Date(at).getUTCDate()).padStart(2, '0')}`;
}

/** Month as venue tickers write it: October 2026 is `26OCT`. */
export function monthToken(at: number): string {
  const date = new Date(at);
  return `${String(date.getUTCFullYear()).slice(2)}${MONTHS[date.getUTCMonth()]?.slice(0, 3).toUpperCase()}`;
}

/** Month and year in words: `October 2026`. */
export function monthName(at: number): string {
  const date = new Date(at);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Day in words: `October 29, 2026`. */
export function dayName(at: number): string {
  const date = new Date(at);
  return `${MONTHS[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`;
}

/** Day as `2026-10-29`. */
export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** The first US Eastern midnight strictly after an instant: 04:00 UTC in summer time, 05:00 in winter. */
export function nextEasternMidnight(at: number): number {
  let day = startOfDay(at) - DAY;
  for (;;) {
    const midnight = day + easternOffset(day);
    if (midnight > at) return midnight;
    day += DAY;
  }
}

function easternOffset(day: number): number {
  const year = new Date(day).getUTCFullYear();
  // Clocks change at 02:00 local time, so the midnight of the switch day itself still has the old offset.
  const inSummer = day > sundayOf(year, 2, 2) && day <= sundayOf(year, 10, 1);
  return (inSummer ? 4 : 5) * HOUR;
}

function sundayOf(year: number, month: number, nth: number): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - first) % 7) + (nth - 1) * 7);
}
