import { ForemarkError } from '../model/errors.ts';
import type { RouteRequest } from './route.ts';

/**
 * Refuses to go on reading a related list that takes too long.
 *
 * @throws ForemarkError service_unavailable, to be asked again in two seconds
 * @see Spec 7
 */
export function checkTimeLeft({ hasTime }: Pick<RouteRequest, 'hasTime'>): void {
  if (hasTime && !hasTime())
    throw new ForemarkError(
      'service_unavailable',
      'related records took too long to read; retry in 2 seconds',
      {
        retryAfterSeconds: 2,
      },
    );
}
