import { parseInstant } from '../../model/time.ts';
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

const NAMED_ZONE = /\s([A-Z]{3,4})$/;
const OFFSET = /[+-]\d\d:?\d\d$/;
/** Ends in a date or a time of day. */
const ENDS_WITHOUT_ZONE = /(?:\d|\d\s*[AP]M)$/i;

/**
 * Parses the instant of a feed's text, in RFC 822, RFC 3339 or something close; undefined when it is none. A text
 * without a time zone is taken as UTC, never as local time.
 *
 * @example feedInstant('Thu, 30 Jul 2026 16:15:00 BST') // 2026-07-30T15:15:00Z
 */
export function feedInstant(text: string): Instant | undefined {
  const trimmed = text.trim();
  const exact = parseInstant(trimmed);
  if (exact !== undefined) return exact;
  const offset = OFFSETS.get(NAMED_ZONE.exec(trimmed)?.[1] ?? '');
  const isBare = ENDS_WITHOUT_ZONE.test(trimmed) && !OFFSET.test(trimmed);
  const at = Date.parse(
    offset === undefined ? `${trimmed}${isBare ? ' UTC' : ''}` : trimmed.replace(NAMED_ZONE, ` ${offset}`),
  );
  return Number.isNaN(at) ? undefined : at;
}
