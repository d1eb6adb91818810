import { ForemarkError } from '../model/errors.ts';

/**
 * The bytes of an answer, the same for a published document and for the server.
 *
 * @throws ForemarkError internal_error when a number is not finite: JSON would silently write null
 */
export function encode(body: object): string {
  return JSON.stringify(body, (name, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new ForemarkError('internal_error', 'a number could not be written', {
        detail: `${name} is ${value}`,
      });
    return value;
  });
}
