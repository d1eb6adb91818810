import { z } from 'zod';
import { ParameterError } from '../model/errors.ts';
import { parseInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';

/** The kinds of query parameters, parsed from text. Error messages say what is allowed. */

/** A whole number from `min` to `max`, both included. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .refine((text) => /^\d{1,12}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .meta({ type: 'integer', minimum: min, maximum: max })
    .transform(Number);
}

/** One of the given words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return z.enum(words, { error: `must be one of ${words.join(', ')}` }).optional();
}

/** true or false; false by default. */
export const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .meta({ type: 'string', examples: ['true'] })
  .default('false')
  .transform((word) => word === 'true');

/**
 * Parses an instant of a query. The plus of an offset that was not escaped arrives as a space, and is taken as a plus.
 *
 * @example askedInstant('2026-11-03T21:00:00 00:00') === askedInstant('2026-11-03T21:00:00Z') // true
 */
function askedInstant(text: string): Instant | undefined {
  return parseInstant(text.replace(/(:\d\d(?:\.\d+)?) (?=\d\d(?::?\d\d)?$)/, '$1+'));
}

/** An ISO date or date and time, as an instant. */
export const instantParameter = z
  .string()
  .refine((text) => askedInstant(text) !== undefined, { error: 'must be an ISO date or date and time' })
  .meta({ maxLength: 40, examples: ['2026-11-03', '2026-11-03T21:00:00Z'] })
  .transform((text) => askedInstant(text) as Instant)
  .optional();

/** Free text of limited length. */
export const text = z.string().max(200, { error: 'must have at most 200 characters' }).optional();

/** The words of a search; only blanks means no search. */
export const searchText = text.transform((given) => (given?.trim() === '' ? undefined : given));

/** The number of a list's page, and the same with its default. */
export const pageNumber = wholeNumber(1, 1_000_000);
export const page = pageNumber.default(1);

/** The number of rows per page, and the same with its default. */
export const rowsPerPage = wholeNumber(1, 500);
export const perPage = rowsPerPage.default(100);

export const sortDirection = oneOf(['asc', 'desc']);

/**
 * Parses a query by its shape.
 *
 * @param raw all values of each parameter
 * @throws ParameterError naming the parameter, its value and what is allowed, also when it is given twice
 */
export function parseQuery<Shape extends z.ZodObject>(
  shape: Shape,
  raw: ReadonlyMap<string, readonly string[]>,
) {
  const given: Record<string, string> = {};
  for (const name of Object.keys(shape.shape)) {
    const values = raw.get(name);
    if (!values?.length) continue;
    if (values.length > 1)
      throw new ParameterError(name, `${name} must be given once, got it ${values.length} times`);
    given[name] = values[0] as string;
  }
  const result = shape.safeParse(given);
  if (result.success) return result.data as z.output<Shape>;
  const issue = result.error.issues[0];
  const name = String(issue?.path[0] ?? '');
  throw new ParameterError(
    name,
    `${name} ${issue?.message ?? 'is not valid'}, got ${JSON.stringify(given[name])}`,
  );
}

/**
 * Refuses parameters that a route declares as unsupported.
 *
 * @param refuses why, by parameter
 * @throws ParameterError unsupported_parameter for the first that is given
 */
export function refuseParameters(
  refuses: Readonly<Record<string, string>>,
  raw: ReadonlyMap<string, readonly string[]>,
): void {
  for (const [name, reason] of Object.entries(refuses))
    if (raw.has(name)) throw new ParameterError(name, `${name} ${reason}`, 'unsupported_parameter');
}
