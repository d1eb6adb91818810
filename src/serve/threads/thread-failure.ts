import { ForemarkError } from '../../model/errors.ts';

/** What a thread failed with, as it was thrown there: on the way an error of the product keeps its fields, not its class. */
export function threadFailure(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(String(thrown));
  if (thrown.name !== 'ForemarkError') return thrown;
  const { code, message, ...options } = thrown as ForemarkError;
  return new ForemarkError(code, message, options);
}
