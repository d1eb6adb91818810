import { parseInstant } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import type { InForce } from '../store/definitions.ts';
import type { Recalculation } from '../store/restatements.ts';
import { printInstants } from './instants.ts';

/** All that says at which instants a series was calculated. */
export interface CalculationLog {
  /** Every version that was ever adopted, the oldest first. */
  versions: readonly InForce[];
  /** The instants of all runs, in order. */
  runs: readonly Instant[];
  recalculations: readonly Recalculation[];
}

/** Whether a definition was the newest one of its ticker at a run. */
export function wasInForce({ adopted_at, withdrawn_at }: InForce, run: Instant): boolean {
  return adopted_at <= run && run < (withdrawn_at ?? Number.POSITIVE_INFINITY);
}

/** The instant of the first print that a definition asks for. */
export function firstInstant({ definition }: InForce): Instant {
  return parseInstant('sources' in definition ? definition.start_at : definition.base_at) ?? 0;
}

/** The instants that are due at a run, after those of the run before. */
export function dueInstants(version: InForce, after: Instant | undefined, run: Instant): Instant[] {
  return printInstants(version.definition.interval_minutes, after, firstInstant(version), run);
}

/**
 * The instants of a recalculation: those of its span at which the series was calculated before, and its grid.
 *
 * @returns ascending
 */
export function recalculatedInstants(log: CalculationLog, wanted: Recalculation): Instant[] {
  const { from_at, until_at, recorded_at } = wanted;
  const instants = new Set<Instant>();
  let after: Instant | undefined;
  for (const run of log.runs) {
    if (run > recorded_at) break;
    const version = log.versions.find((each) => wasInForce(each, run));
    if (!version) continue;
    if (run >= from_at) for (const at of dueInstants(version, after, run)) instants.add(at);
    after = run;
  }
  const grids = log.recalculations.filter((each) => each.recorded_at < recorded_at);
  for (const { every_minutes, from_at: from, grid_until } of [...grids, wanted])
    if (every_minutes !== null && grid_until !== null)
      for (const at of printInstants(every_minutes, from - 1, from, grid_until)) instants.add(at);
  return [...instants].filter((at) => from_at <= at && at <= until_at).sort((a, b) => a - b);
}
