import { z } from 'zod';
import { DAY_MS } from '../../../model/time.ts';
import { type Instant, roundTo } from '../../../model/units.ts';

/** The feed that counts volumes; its notes hold the counts. */
export const VOLUMES = 'venue_c/volumes';

/** Contracts traded before an instant, 0 where nothing came yet, and when that was last asked for. */
export const volumeCount = z.object({ total: z.number(), through: z.number(), asked_at: z.number() });
export type VolumeCount = z.output<typeof volumeCount>;

/**
 * The count with the days that are new. It reaches to the end of the newest day that came: days without a row
 * before it had no trade, but what comes after may be late.
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
    // The venue counts to the hundredth; sums of such numbers grow noise.
    total = roundTo(total + volume, 6);
    through = Math.max(through, day + DAY_MS);
  }
  return { total, through, asked_at: now };
}
