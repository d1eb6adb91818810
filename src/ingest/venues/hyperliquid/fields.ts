import { greatestOf } from '../../../model/extremes.ts';
import { parseInstant } from '../../../model/time.ts';
import type { Instant } from '../../../model/units.ts';

/** The values of a coded description, by field name. */
export type Fields = ReadonlyMap<string, string>;

/**
 * Parses a coded description; one in words has no fields. Values may contain colons or be empty.
 *
 * @example fieldsOf('perp:xyz:SILVER|threshold:64.1').get('perp') // 'xyz:SILVER'
 */
export function fieldsOf(description: string | undefined): Fields {
  const fields = new Map<string, string>();
  for (const part of (description ?? '').split('|')) {
    const match = /^(\w+):(.*)$/s.exec(part);
    if (!match) return new Map();
    fields.set(match[1] ?? '', match[2]?.trim() ?? '');
  }
  return fields;
}

/** When the answer is known at the latest: the last of the times in the fields. */
export function closesAt(fields: Fields): Instant | undefined {
  return greatestOf([...fields.values()].map(timeOf));
}

/**
 * The value of a field for display: a time is reformatted, anything else stays.
 *
 * @example shownField('20260509-0600') // '2026-05-09 06:00 UTC'
 */
export function shownField(value: string): string {
  const at = timeOf(value);
  return at === undefined ? value : shownTime(at);
}

/** An instant for display, in UTC to the minute. */
export function shownTime(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function timeOf(value: string): Instant | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)$/.exec(value);
  return match ? parseInstant(`${match[1]}-${match[2]}-${match[3]}T${match[4]}:${match[5]}:00Z`) : undefined;
}
