import { vi } from 'vitest';

/**
 * Does some work with one time limit that is over when the work says so, whatever the clock says.
 *
 * @param ms the limit, as it is asked for; others go by the clock
 */
export async function withLimit<Result>(
  ms: number,
  work: (limit: AbortController) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const { timeout } = AbortSignal;
  const spy = vi
    .spyOn(AbortSignal, 'timeout')
    .mockImplementation((asked) => (asked === ms ? limit.signal : timeout.call(AbortSignal, asked)));
  try {
    return await work(limit);
  } finally {
    spy.mockRestore();
  }
}
