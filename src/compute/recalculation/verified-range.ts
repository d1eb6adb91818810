import type { Instant } from '../../model/units.ts';
import { EVER } from '../../store/prints/known-prints.ts';
import type { Recalculation } from '../../store/restatements.ts';
import {
  type CalculatedRun,
  type CalculationLog,
  recalculatedInstants,
} from '../series/calculated-instants.ts';

/** The instants whose prints are recalculated, both ends included. */
export interface VerifiedRange {
  from: Instant;
  to: Instant;
}

/** All that was ever printed. */
export const WHOLE: VerifiedRange = { from: 0, to: EVER };

/** The part of a range that was calculated by runs after an instant. */
export function rangeSince(
  range: VerifiedRange,
  runs: readonly CalculatedRun[],
  since: Instant,
): VerifiedRange {
  const first = runs.find(({ run, instants }) => since < run && instants.length > 0)?.instants[0];
  return { ...range, from: Math.max(range.from, first ?? since + 1) };
}

/**
 * The print that a range continues from: the last before it, as it was when the runs first continued from it.
 * Everything after that print, and later revisions of it, are recalculated.
 *
 * @param runs with the instants of the series that each calculated, in order
 * @param find the last print at or before an instant that was known at another
 * @param isOpen whether a later print may yet replace this one, so that it cannot be the start
 * @returns the print and the instant at which it was known; undefined if there is none
 */
export function findStart<Print extends { at: Instant }>(
  runs: readonly CalculatedRun[],
  from: Instant,
  find: (at: Instant, known: Instant) => Print | undefined,
  isOpen: (at: Instant) => boolean = () => false,
): { before: Print; known: Instant } | undefined {
  let known = EVER;
  for (let asked = from - 1; ; ) {
    const before = find(asked, known);
    if (!before) return undefined;
    const next = runs.find(({ instants }) => (instants.at(-1) ?? 0) > before.at)?.run ?? EVER;
    if (isOpen(before.at)) asked = before.at - 1;
    else if (next >= known) return { before, known };
    else known = next;
  }
}

/** The runs of a series, limited to the instants within a range. */
export function runsWithin({ runs }: CalculationLog, { from, to }: VerifiedRange): CalculatedRun[] {
  return runs
    .map((each) => ({ ...each, instants: each.instants.filter((at) => from <= at && at <= to) }))
    .filter((each) => each.instants.length > 0);
}

/**
 * Recalculations that reach into a range. Each is repeated from its own beginning, even if that is before the range: where
 * it gave no print, an earlier revision stays in force, and its next print does not continue from that.
 *
 * @param since ignores those recorded up to an instant
 */
export function recalculationsWithin(
  log: CalculationLog,
  { from, to }: VerifiedRange,
  since: Instant,
): { recalculation: Recalculation; instants: Instant[] }[] {
  return log.recalculations
    .filter((each) => since < each.recorded_at && each.from_at <= to && from <= each.until_at)
    .map((each) => ({
      recalculation: { ...each, until_at: Math.min(each.until_at, to) },
      instants: recalculatedInstants(log, each).filter((at) => at <= to),
    }));
}
