import { ForemarkError } from '../model/errors.ts';

/**
 * The bytes of an answer, the same for a published document and for the server.
 *
 * @throws ForemarkError internal_error when a number is not finite: JSON would silently write null
 */
export function encode(body: object): string {
  const text = JSON.stringify(body);
  // A replacer could check each number, but is several times slower, so the body is examined only if its text has a
  // null. Since n is a common letter, searching for "ull" takes half the time.
  if (text.includes('ull') && text.includes('null')) refuseNonFinite(body, '');
  return text;
}

function refuseNonFinite(value: unknown, name: string): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ForemarkError('internal_error', 'a number could not be written', {
      detail: `${name} is ${value}`,
    });
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) refuseNonFinite(inner, key);
}
