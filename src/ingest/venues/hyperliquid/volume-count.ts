import { z } from 'zod';
import { DAY_MS } from '../../../model/time.ts';
import { type Instant, roundTo } from '../../../model/units.ts';

/** The feed that counts volumes; its notes hold the counts. */
export const VOLUMES = 'venue_c/volumes';

/** Contracts traded before the instant `through`, which is 0 until the first answer with days, and the last request. */
export const volumeCount = z.object({ total: z.number(), through: z.number(), asked_at: z.number() });
export type VolumeCount = z.output<typeof volumeCount>;

/**
 * Adds new days to the count, which then reaches to the end of the newest day: missing days before that had no trade,
 * but later ones may still come.
 *
 * @example countDays({ total: 5, through: 0, asked_at: 0 }, new Map([[0, 2]]), 9).total // 7
 */
export function countDays(
  known: VolumeCount | undefined,
  days: ReadonlyMap<Instant, number>,
  now: Instant,
): VolumeCount {
  const from = known?.through ?? 0;
  let total = known?.total ?? 0;
  let through = from;
  for (const [day, volume] of days) {
    if (day < from) continue;
    // The venue counts in hundredths; sums of these collect floating-point noise.
    total = roundTo(total + volume, 6);
    through = Math.max(through, day + DAY_MS);
  }
  return { total, through, asked_at: now };
}
