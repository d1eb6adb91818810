import { createRequire } from 'node:module';
import { getOrInsert } from './memoized.ts';
import type { EasternDay, Instant } from './units.ts';

const EASTERN = 'America/New_York';
const CENTRAL = 'America/Chicago';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Converts seconds of a setting to whole milliseconds for timers, rounded up. */
export function toMilliseconds(seconds: number): number {
  return Math.ceil(seconds * SECOND_MS);
}

/**
 * The last multiple of a step at or before an instant, such as the start of its UTC hour or day.
 *
 * @example floorTo(5_400_000, HOUR_MS) // 3600000
 */
export function floorTo(at: Instant, stepMs: number): Instant {
  return Math.floor(at / stepMs) * stepMs;
}

/** An instant in whole seconds since 1970, rounded down: the unit in which most venues take bounds. */
export function toSeconds(at: Instant): number {
  return Math.floor(at / SECOND_MS);
}

/**
 * A series whose last print is older than this is quiet: its price is left out (public) or null (authenticated lists).
 */
export const QUIET_AFTER_MS = 7 * DAY_MS;

// Cache: all series of a run print at the same instants.
const written = new Map<Instant, string>();
const MOST_WRITTEN = 10_000;

/**
 * An instant as RFC 3339 text in UTC, without milliseconds if they are zero.
 *
 * @example formatInstant(0) // '1970-01-01T00:00:00Z'
 */
export function formatInstant(at: Instant): string {
  const known = written.get(at);
  if (known !== undefined) return known;
  const text = new Date(at).toISOString().replace('.000Z', 'Z');
  if (written.size === MOST_WRITTEN) written.clear();
  written.set(at, text);
  return text;
}

// Venues write 'T' or a blank, 0 to 9 fractional digits, 'Z', 'UTC', '+00' or '+00:00', perhaps after a blank; a bare day
// is midnight UTC.
const INSTANT =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d)?)(\.\d{1,9})?(?: ?([Zz]|UTC|[+-]\d\d(?::?\d\d)?))?)?$/;

/**
 * Parses an instant; undefined when the text is not one. A text without an offset is UTC.
 *
 * @example parseInstant('2020-11-02 16:31:01+00') // 1604334661000
 */
export function parseInstant(text: string): Instant | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, day = '', time = '00:00:00', fraction = '', zone = 'Z'] = match;
  // The most common form, which Date.parse reads as it is.
  if (zone === 'Z' && text.length === 20 && text[10] === 'T') return instantOf(text, day);
  return instantOf(`${day}T${time}${fraction.slice(0, 4)}${offsetOf(zone)}`, day);
}

function offsetOf(zone: string): string {
  if (/^[a-z]/i.test(zone)) return 'Z';
  return zone.length === 3 ? `${zone}:00` : zone.replace(/^(...):?/, '$1:');
}

/** Parses an instant of a definition, which was validated when the definition was read. */
export function definedInstant(text: string): Instant {
  return parseInstant(text) ?? 0;
}

function instantOf(text: string, day: EasternDay): Instant | undefined {
  const at = Date.parse(text);
  return Number.isNaN(at) || !isCalendarDay(day) ? undefined : at;
}

const SHORT_MONTHS: ReadonlySet<string> = new Set(['04', '06', '09', '11']);

/** Whether there is a day `YYYY-MM-DD` with a day of the month from 1 to 31; Date.parse reads 30 February as 1 March. */
export function isCalendarDay(day: EasternDay): boolean {
  const [month, date] = [day.slice(5, 7), day.slice(8)];
  if (date <= '28') return true;
  if (month === '02') return addDays(day, 0) === day;
  return date <= (SHORT_MONTHS.has(month) ? '30' : '31');
}

// Cache: instants that follow each other are mostly of one day.
let latest: { startsAt: Instant; day: string } | undefined;

/** The calendar day of an instant in UTC. @example utcDay(0) // '1970-01-01' */
export function utcDay(at: Instant): string {
  const startsAt = floorTo(at, DAY_MS);
  if (latest?.startsAt !== startsAt) latest = { startsAt, day: new Date(at).toISOString().slice(0, 10) };
  return latest.day;
}

/**
 * The US Eastern calendar day of an instant.
 *
 * @example easternDay(Date.parse('2024-11-05T04:59:59Z')) // '2024-11-04'
 */
export function easternDay(at: Instant): EasternDay {
  // The US East is 4 or 5 hours behind UTC, so that for 23 hours of a day no time zone has to be asked.
  // getTimezoneOffset would not help: on a day when clocks change it applies the offset of the day's end to all of it.
  const day = utcDay(at - 4 * HOUR_MS);
  const isSure = floorTo(at - 4 * HOUR_MS, DAY_MS) === floorTo(at - 5 * HOUR_MS, DAY_MS);
  return isSure || at >= easternDayStart(day) ? day : addDays(day, -1);
}

/** The first instant of a US Eastern calendar day. */
export function easternDayStart(day: EasternDay): Instant {
  return easternInstant(day, '00:00');
}

/** The instant of a US Eastern clock time, `HH:MM`, on a calendar day. */
export function easternInstant(day: EasternDay, time: string): Instant {
  return zonedInstant(day, time, EASTERN);
}

/**
 * The instant of a clock time of a calendar day in Chicago.
 *
 * @example centralInstant('2026-08-18', '16:15') // 2026-08-18T21:15:00Z
 */
export function centralInstant(day: string, time: string): Instant {
  return zonedInstant(day, time, CENTRAL);
}

// Cache: a conversion takes some 10 microseconds, and a history needs the same few days again and again.
const zonedInstants = new Map<string, Instant>();

let zones: typeof import('date-fns-tz/fromZonedTime') | undefined;

// The time zone package is loaded when first needed, because loading it takes as long as the rest of a command's start.
// It is loaded by subpath, because the package's main entry loads all of date-fns.
function zonedInstant(day: string, time: string, zone: string): Instant {
  return getOrInsert(zonedInstants, `${day} ${time} ${zone}`, () => {
    zones ??= createRequire(import.meta.url)('date-fns-tz/fromZonedTime') as NonNullable<typeof zones>;
    return zones.fromZonedTime(`${day}T${time}:00`, zone).getTime();
  });
}

/**
 * The calendar day some days later (or earlier, when negative).
 *
 * @example addDays('2024-02-28', 2) // '2024-03-01'
 */
export function addDays(day: EasternDay, days: number): EasternDay {
  return utcDay(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);
}

/** Whether a day of 1440 minutes is a whole number of these intervals. */
export function dividesDay(minutes: number): boolean {
  return minutes >= 1 && 1440 % minutes === 0;
}
