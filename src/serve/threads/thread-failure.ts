import { ForemarkError } from '../../model/errors.ts';

/**
 * Restores the error that a thread failed with: between threads, a ForemarkError keeps its fields but loses its class.
 */
export function threadFailure(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(String(thrown));
  if (thrown.name !== 'ForemarkError') return thrown;
  const { code, message, ...options } = thrown as ForemarkError;
  return new ForemarkError(code, message, options);
}
