import { isCalendarDay, parseInstant, utcDay } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';

/** Time zones that feeds name and that JavaScript does not know. IST is taken as India's. */
const OFFSETS: ReadonlyMap<string, string> = new Map([
  ['BST', '+0100'],
  ['WET', '+0000'],
  ['WEST', '+0100'],
  ['CET', '+0100'],
  ['CEST', '+0200'],
  ['EET', '+0200'],
  ['EEST', '+0300'],
  ['MSK', '+0300'],
  ['IST', '+0530'],
  ['HKT', '+0800'],
  ['SGT', '+0800'],
  ['JST', '+0900'],
  ['KST', '+0900'],
  ['AEST', '+1000'],
  ['AEDT', '+1100'],
  ['NZST', '+1200'],
  ['NZDT', '+1300'],
]);

/** A named zone at the end, or before a year there, as the command `date` writes it. */
const NAMED_ZONE = /(?<=:\d\d\s)[A-Z]{3,4}(?=\s\d{4}$)|(?<=\s)[A-Z]{3,4}$/;
/** An offset after a time of day, at the end or before a year there: -0500, -05, +5:30, GMT+2. */
const OFFSET = /(:\d\d(?:\.\d+)?(?:\s*[AP]M)?)\s*(?:GMT|UTC)?\s*([+-])(\d\d?)(?::?(\d\d))?(?=\s\d{4}$|$)/i;
/** Ends in a date or a time of day. */
const ENDS_WITHOUT_ZONE = /(?:\d|\d\s*[AP]M)$/i;
/** A zone that JavaScript knows wherever it stands: 10:00 AM EST, November 9, 2026. */
const KNOWN_ZONE = /\b(?:GMT|UTC|[ECMP][SD]T)\b/i;
/** Between a day and a time of day, as Drupal writes it: Sun, 11/01/2026 - 10:00. */
const DASH = / - (?=\d\d?:\d\d)/;
/** No date is longer; on millions of spaces the patterns would take quadratic time. */
const LONGEST = 100;
/**
 * Texts in which JavaScript finds a date that is none: without a year and a time of day, or in year 1, an unset time.
 */
const NO_DATE = /^(?!.*(?:\d{4}|\d:\d\d))|\s0\d{3}(?:\s|$)/s;

/** A day that not all months have. */
const LATE_DAY = /(?<![\d:])(?:29|30|31)(?![\d:])/;

/**
 * Parses the instant of a feed's text, in RFC 822, RFC 3339 or something close; undefined when it is none. A text
 * without a time zone is taken as UTC, never as local time.
 *
 * @example feedInstant('Thu, 30 Jul 2026 16:15:00 BST') // 2026-07-30T15:15:00Z
 */
export function feedInstant(text: string): Instant | undefined {
  const trimmed = text.trim().replace(DASH, ' ');
  const exact = parseInstant(trimmed);
  if (exact !== undefined) return exact;
  if (trimmed.length > LONGEST || NO_DATE.test(trimmed)) return undefined;
  const zone = NAMED_ZONE.exec(trimmed)?.[0];
  const offset = OFFSETS.get(zone ?? '');
  const namesZone = zone !== undefined || OFFSET.test(trimmed) || KNOWN_ZONE.test(trimmed);
  const isBare = !namesZone && ENDS_WITHOUT_ZONE.test(trimmed);
  const written = offset === undefined ? trimmed : trimmed.replace(NAMED_ZONE, offset);
  const whole = isBare ? `${written} UTC` : written.replace(OFFSET, withWholeOffset);
  const at = Date.parse(whole);
  return Number.isNaN(at) || isPastMonth(whole) ? undefined : at;
}

// JavaScript reads 31 June as 1 July. The middle of the month is in the same month in any time zone.
function isPastMonth(written: string): boolean {
  const day = LATE_DAY.exec(written)?.[0];
  if (day === undefined) return false;
  const middle = Date.parse(written.replace(LATE_DAY, '15'));
  return !Number.isNaN(middle) && !isCalendarDay(`${utcDay(middle).slice(0, 8)}${day}`);
}

function withWholeOffset(_whole: string, time: string, sign: string, hours: string, minutes = '00'): string {
  return `${time} ${sign}${hours.padStart(2, '0')}${minutes}`;
}
