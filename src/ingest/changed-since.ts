import type { Instant } from '../model/units.ts';

/** Two clocks differ, and a bound in whole seconds is exclusive: what changed just before is asked for again. */
const OVERLAP_MS = 60_000;

/** The bound, in whole seconds, that asks a venue for what changed since an instant. */
export function changedSince(at: Instant): number {
  return Math.floor((at - OVERLAP_MS) / 1000);
}
