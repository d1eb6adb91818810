import { formatInstant } from '../model/time.ts';
import { type Instant, type Probability, toCents, toPlain } from '../model/units.ts';

/** Fields of an answer as they are written to JSON. An unknown value becomes undefined, which JSON leaves out. */

type Unknown = null | undefined;

/** A text or token; an empty one counts as unknown. */
export function present<Value>(value: Value | Unknown | ''): Value | undefined {
  return value === null || value === '' ? undefined : value;
}

/** A number, with the digits that are published. */
export function presentNumber(value: number | Unknown): number | undefined {
  return typeof value === 'number' ? toPlain(value) : undefined;
}

/** A price, which is a fraction, in cents. */
export function presentCents(price: Probability | Unknown): number | undefined {
  return typeof price === 'number' ? toCents(price) : undefined;
}

/** An instant, as RFC 3339. */
export function presentInstant(at: Instant | Unknown): string | undefined {
  return typeof at === 'number' ? formatInstant(at) : undefined;
}
