/** How numbers and instants are written in pictures and pages: English, two decimals or a few more, UTC. */

const TWO = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** For values that would vanish with two decimals. */
const FINER = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 });
const FINE_BELOW = 0.1;

const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The unit of a level, by the quote convention of its index. */
const UNITS: Readonly<Record<string, string>> = {
  points: 'points',
  probability: 'of 100',
  centred: 'centred on 100',
};

/** A level with two decimals, a small one with as many as it is published with. @example formatLevel(1398.418539) // '1,398.42' */
export function formatLevel(level: number): string {
  return (Math.abs(level) < FINE_BELOW ? FINER : TWO).format(level);
}

/** The unit of a level in words; empty for a convention without one. */
export function unitOf(quoteConvention: string): string {
  return UNITS[quoteConvention] ?? '';
}

/** A price in cents, with decimals as in a level. @example formatCents(31.4042) // '31.40¢' */
export function formatCents(cents: number): string {
  return `${formatLevel(cents)}¢`;
}

/**
 * A change with its sign, none if it is rounded to zero; the minus is the typographic one.
 *
 * @example formatChange(-1.5, '%') // '−1.50%'
 */
export function formatChange(change: number, unit: string, numbers = TWO): string {
  const size = numbers.format(Math.abs(change));
  const sign = size === numbers.format(0) ? '' : change < 0 ? '−' : '+';
  return `${sign}${size}${unit}`;
}

/** Which way a change goes, by the sign that {@link formatChange} gave it; undefined without one. */
export function wayOf(change: string): 'rise' | 'fall' | undefined {
  return change.startsWith('+') ? 'rise' : change.startsWith('−') ? 'fall' : undefined;
}

/** A fraction in percent. @example formatShare(0.2213) // '22.1%' */
export function formatShare(fraction: number): string {
  return `${(100 * fraction).toFixed(1)}%`;
}

/** An instant for people. @example formatMoment('2026-10-29T12:00:00Z') // '29 Oct 2026, 12:00 UTC' */
export function formatMoment(instant: string | number): string {
  return `${MOMENT.format(new Date(instant))} UTC`;
}

/** A calendar day, or the UTC day of an instant, for people. @example formatDay('2026-10-29') // '29 Oct 2026' */
export function formatDay(day: string | number): string {
  return DAY.format(new Date(day));
}
