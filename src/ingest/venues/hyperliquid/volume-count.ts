import { z } from 'zod';
import { given } from '../../../model/given.ts';
import { DAY_MS } from '../../../model/time.ts';
import { type Instant, roundTo } from '../../../model/units.ts';

/** The feed that counts volumes; its notes hold the counts. */
export const VOLUMES = 'venue_c/volumes';

/** Contracts traded before the instant `through`, which is 0 until the first answer with days, and the last request. */
export const volumeCount = z.object({
  total: z.number(),
  through: z.number(),
  asked_at: z.number(),
  /** The run that counted the first days; absent where that was long ago. */
  begun_at: z.number().optional(),
  /** The newest days with what they add to the total, which the venue may revise. */
  recent: z.array(z.tuple([z.number(), z.number()])).optional(),
});
export type VolumeCount = z.output<typeof volumeCount>;

/** Days are read again for this long. */
export const REVISED_FOR_MS = 3 * DAY_MS;

/**
 * Adds new days to the count, which then reaches to the end of the newest day: missing days before that had no trade,
 * but later ones may still come. A recent day that was counted before takes the place of what it added then.
 *
 * @example countDays({ total: 5, through: 0, asked_at: 0 }, new Map([[0, 2]]), 9).total // 7
 */
export function countDays(
  known: VolumeCount | undefined,
  days: ReadonlyMap<Instant, number>,
  now: Instant,
): VolumeCount {
  const from = known?.through ?? 0;
  const counted = new Map(known?.recent);
  let total = known?.total ?? 0;
  let through = from;
  for (const [day, volume] of days) {
    const before = counted.get(day);
    if (day < from && before === undefined) continue;
    // The venue counts in hundredths; sums of these collect floating-point noise.
    total = roundTo(total + volume - (before ?? 0), 6);
    through = Math.max(through, day + DAY_MS);
    counted.set(day, volume);
  }
  const recent = [...counted].filter(([day]) => day >= through - REVISED_FOR_MS);
  const begun_at = from > 0 ? known?.begun_at : now;
  return { total, through, asked_at: now, ...given({ begun_at }), recent };
}
