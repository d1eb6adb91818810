import { ForemarkError } from '../model/errors.ts';
import { formatInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';

/** Refuses a span of time that ends before it begins. @throws ForemarkError invalid_configuration */
export function refuseBackwards(from: Instant, to: Instant): void {
  if (to < from)
    throw new ForemarkError(
      'invalid_configuration',
      `to must not be before from, at ${formatInstant(from)}, got ${formatInstant(to)}`,
    );
}
