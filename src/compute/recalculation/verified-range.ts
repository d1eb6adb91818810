import type { Instant } from '../../model/units.ts';
import { EVER } from '../../store/prints/known-prints.ts';
import type { Recalculation } from '../../store/restatements.ts';
import {
  type CalculatedRun,
  type CalculationLog,
  recalculatedInstants,
} from '../series/calculated-instants.ts';

/** The instants whose prints are calculated once more, both ends included. */
export interface VerifiedRange {
  from: Instant;
  to: Instant;
}

/** All that was ever printed. */
export const WHOLE: VerifiedRange = { from: 0, to: EVER };

/**
 * The print that a range goes on from: the last before it, as it stood when the runs first went on from it. What came
 * after that print, and all that was done to it later, is calculated once more.
 *
 * @param runs what they calculated of the series, in order
 * @param find the last print at or before an instant that was known at another
 * @param isOpen whether a later print may yet take the place of a print: it is no place to begin at
 * @returns undefined where there is none, with the instant at which it was known
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

/**
 * What was done to a series within a range. A recalculation that reaches into it is done from its own beginning: a print
 * that stands because it gave nothing there is none to go on from.
 */
export function workWithin(
  log: CalculationLog,
  { from, to }: VerifiedRange,
): { runs: CalculatedRun[]; recalculations: { recalculation: Recalculation; instants: Instant[] }[] } {
  return {
    runs: log.runs
      .map((each) => ({ ...each, instants: each.instants.filter((at) => from <= at && at <= to) }))
      .filter((each) => each.instants.length > 0),
    recalculations: log.recalculations
      .filter((each) => each.from_at <= to && from <= each.until_at)
      .map((each) => ({
        recalculation: { ...each, until_at: Math.min(each.until_at, to) },
        instants: recalculatedInstants(log, each).filter((at) => at <= to),
      })),
  };
}
