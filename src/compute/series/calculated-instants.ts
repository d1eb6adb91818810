import type { SeriesId } from '../../model/constituent-id.ts';
import { type Definition, firstInstant } from '../../model/definitions/definition.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import {
  byTicker,
  type InForce,
  listDefinitionHistory,
  type RateInForce,
} from '../../store/definitions/definitions.ts';
import {
  eachCalculation,
  eachCalculationBefore,
  findLastRun,
  insertUnfinished,
  listUnfinished,
} from '../../store/prints/calculations.ts';
import { findCalculatedTo } from '../../store/prints/standings.ts';
import { listRecalculations, type Recalculation } from '../../store/restatements.ts';
import type { Reader, Writer } from '../../store/store.ts';
import { groupConsecutive, printInstants } from './instants.ts';

/** The recorded calculations of a series. */
export interface CalculationLog {
  /** In order: each continues from the end of the one before. */
  runs: readonly CalculatedRun[];
  recalculations: readonly Recalculation[];
}

/** The instants of a series that one run calculated. */
export interface CalculatedRun {
  run: Instant;
  version: InForce;
  /** Ascending. */
  instants: Instant[];
}

/**
 * Loads the calculations of a series: all, or the runs that calculated it from an instant on and perhaps a few before
 * them. Then it costs what was calculated since, however many runs there were before.
 *
 * @param versions all of the series, the oldest first
 */
export function loadCalculationLog(
  reader: Reader,
  series: SeriesId,
  versions: readonly InForce[],
  from?: Instant,
): CalculationLog {
  const reachedBy = listReached(reader, series);
  const complete = from === undefined ? undefined : findComplete(reader, versions, reachedBy, from);
  const runs = [...eachCalculation(reader, (complete ?? Number.NEGATIVE_INFINITY) + 1)];
  return {
    runs: calculatedByRuns(versions, runs, reachedBy, complete),
    recalculations: listRecalculations(reader, series),
  };
}

/**
 * The run that calculated a series at an instant, with the version in force then. An instant that no run calculated
 * belongs to the run that came next.
 */
export function findCalculating(
  reader: Reader,
  series: SeriesId,
  versions: readonly InForce[],
  at: Instant,
): Omit<CalculatedRun, 'instants'> | undefined {
  const reachedBy = listReached(reader, series);
  for (const run of eachCalculation(reader, at)) {
    const version = versions.find((each) => wasInForce(each, run));
    if (version && (reachedBy.get(run) ?? run) >= at && firstInstant(version.definition) <= run)
      return { run, version };
  }
  return undefined;
}

/** How far the runs that did not calculate a series up to their own instant reached, by that; 0 where they did not begin. */
function listReached(reader: Reader, series: SeriesId): ReadonlyMap<Instant, Instant> {
  // Only the next run notes that the last one was cut off. Until then it shows in how far the series was calculated.
  const last = {
    calculated_at: findLastRun(reader) ?? 0,
    reached_at: findCalculatedTo(reader, series) ?? null,
  };
  const unfinished = [...listUnfinished(reader, series), last];
  return new Map(unfinished.map((each) => [each.calculated_at, each.reached_at ?? 0]));
}

/** The last run before an instant that calculated a series up to its own; undefined if none did. */
function findComplete(
  reader: Reader,
  versions: readonly InForce[],
  reachedBy: ReadonlyMap<Instant, Instant>,
  before: Instant,
): Instant | undefined {
  const first = versions[0]?.adopted_at ?? before;
  for (const run of eachCalculationBefore(reader, before, first)) {
    const version = versions.find((each) => wasInForce(each, run));
    if (version && !reachedBy.has(run) && firstInstant(version.definition) <= run) return run;
  }
  return undefined;
}

/**
 * Notes each series that the last run did not calculate up to its own instant. A run repeated at that instant notes
 * nothing, since it calculates the rest itself.
 */
export function noteUnfinished(writer: Writer, now: Instant): void {
  const last = findLastRun(writer);
  if (last === undefined || last === now) return;
  for (const version of definitionsOf(last, listDefinitionHistory(writer))) {
    const reached = findCalculatedTo(writer, version);
    if (dueInstants(version.definition, reached, last).length > 0)
      insertUnfinished(writer, version, { calculated_at: last, reached_at: reached ?? null });
  }
}

/** Whether a definition was in force at a run. */
export function wasInForce({ adopted_at, withdrawn_at }: InForce, run: Instant): boolean {
  return adopted_at <= run && run < (withdrawn_at ?? Number.POSITIVE_INFINITY);
}

/**
 * The definitions that the runs of an instant use. If two of an index or rate were in force at it, the earlier: a run that
 * is repeated goes on with what it began with, whatever was adopted since.
 *
 * @param versions the oldest first
 */
export function definitionsOf<Version extends InForce>(
  run: Instant,
  versions: readonly Version[],
): Version[] {
  const inForce = versions.filter((each) => wasInForce(each, run));
  const found = Map.groupBy(inForce, ({ kind, ticker }) => `${kind} ${ticker}`);
  return Array.from(found.values(), ([earliest]) => earliest as Version);
}

/** The instants of a definition after the last calculated one, up to a run. */
export function dueInstants(definition: Definition, after: Instant | undefined, run: Instant): Instant[] {
  return printInstants(definition.interval_minutes, after, firstInstant(definition), run);
}

/**
 * The instants that each run calculated.
 *
 * @param versions every version ever adopted, the oldest first
 * @param reachedBy the runs that ended before their own instant
 * @param before the last instant that was calculated before these runs
 */
function calculatedByRuns(
  versions: readonly InForce[],
  runs: readonly Instant[],
  reachedBy: ReadonlyMap<Instant, Instant>,
  before: Instant | undefined,
): CalculatedRun[] {
  let after = before;
  return runs.flatMap((run) => {
    const version = versions.find((each) => wasInForce(each, run));
    if (!version) return [];
    const reached = reachedBy.get(run) ?? run;
    const instants = dueInstants(version.definition, after, run).filter((at) => at <= reached);
    after = instants.at(-1) ?? after;
    return { run, version, instants };
  });
}

/**
 * Groups consecutive instants that were calculated by runs with the same key. An instant that no run calculated belongs
 * to the run that came next.
 *
 * @param instants ascending, up to the last calculated one
 * @param keyOf keys are compared by identity
 */
export function groupByRun<Key>(
  runs: readonly CalculatedRun[],
  instants: readonly Instant[],
  keyOf: (run: CalculatedRun) => Key,
): { key: Key; instants: Instant[] }[] {
  let next = 0;
  return groupConsecutive(instants, (at) => {
    while (next < runs.length - 1 && ((runs[next] as CalculatedRun).instants.at(-1) ?? 0) < at) next++;
    return keyOf(runs[next] as CalculatedRun);
  });
}

/** The rate definitions that the runs of an instant use, by ticker. */
export function ratesInForce(rates: readonly RateInForce[], run: Instant): Map<string, RateDefinition> {
  return byTicker(definitionsOf(run, rates));
}

/**
 * The instants of a recalculation: those within its span at which the series had been calculated before, those of
 * earlier grids, and those of its own grid.
 *
 * @returns ascending
 */
export function recalculatedInstants(
  { runs, recalculations }: CalculationLog,
  wanted: Recalculation,
): Instant[] {
  const { from_at, until_at, recorded_at } = wanted;
  const isWithin = (at: Instant) => from_at <= at && at <= until_at;
  const instants = new Set<Instant>();
  for (const { run, instants: calculated } of runs)
    if (run <= recorded_at) for (const at of calculated) if (isWithin(at)) instants.add(at);
  const grids = recalculations.filter((each) => each.recorded_at < recorded_at);
  for (const { every_minutes, from_at: from, grid_until } of [...grids, wanted])
    if (every_minutes !== null && grid_until !== null)
      for (const at of printInstants(every_minutes, from - 1, from, grid_until))
        if (isWithin(at)) instants.add(at);
  return [...instants].sort((a, b) => a - b);
}
