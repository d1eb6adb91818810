import { isDeepStrictEqual } from 'node:util';
import type { SeriesId } from '../../model/constituent-id.ts';
import type { Instant } from '../../model/units.ts';
import type { InForce, RateInForce } from '../../store/definitions/definitions.ts';
import { findLastValue } from '../../store/prints/known-prints.ts';
import { findStanding } from '../../store/prints/standings.ts';
import type { Recalculation } from '../../store/restatements.ts';
import type { Reader } from '../../store/store.ts';
import { type ComparedPrint, differingField } from './differing-field.ts';
import type { VerifiedRange } from './verified-range.ts';

/** A print that is not what its inputs give. */
export interface FoundDifference {
  at: Instant;
  reason: string;
}

/**
 * Recalculates a series in the original order of its runs and recalculations, and compares it with the recorded prints.
 * It continues from the recorded print before the range.
 */
export interface SeriesReplay {
  /** The range actually calculated: it may reach further than the requested one, at both ends. */
  readonly range: VerifiedRange;
  /** Repeats a window of a run. @returns the number of equal prints, or a difference */
  calculate(version: InForce, window: readonly Instant[], run: Instant): number | FoundDifference;
  /** Repeats a recalculation. @returns the number of equal prints, or a difference */
  recalculate(recalculation: Recalculation, instants: readonly Instant[]): number | FoundDifference;
  /**
   * Compares the rest when all has been recalculated: recorded prints that no run gave, and what is recorded besides
   * prints.
   *
   * @returns the number of equal prints that were not compared before, or a difference
   */
  end(): number | FoundDifference;
}

/** A series with all definitions ever adopted for it, and for every rate. */
export interface ReplayedSeries extends SeriesId {
  reader: Reader;
  /** The oldest first. */
  versions: readonly InForce[];
  rates: readonly RateInForce[];
}

/**
 * Returns a function that reads the prints of a series up to an instant, each time continuing where the last call
 * ended.
 */
export function readOn<Print>(
  from: Instant,
  select: (from: Instant, until: Instant) => Print[],
): (until: Instant) => Print[] {
  let next = from;
  return (until) => {
    const prints = select(next, until);
    next = until + 1;
    return prints;
  };
}

/**
 * The prints to compare a recalculation with: those in force in its span, except those that remain in force because the
 * recalculation gave nothing for their instants.
 */
export function renewed<Print extends { at: Instant; recorded_at: Instant }>(
  inForce: readonly Print[],
  calculated: readonly { at: Instant }[],
  { recorded_at }: Recalculation,
): Print[] {
  const given = new Set(calculated.map((print) => print.at));
  return inForce.filter((print) => given.has(print.at) || print.recorded_at === recorded_at);
}

/** The standing of a series as calculated. */
export interface CalculatedStanding {
  /** Absent before the first print. */
  body: unknown;
  /** Whether it could be recorded with a definition. */
  mayName(definitionKey: number): boolean;
}

/**
 * Compares the calculated standing of a series, from which its next print will continue, with the recorded one.
 *
 * @param to the end of the calculation; nothing is compared if the series was calculated further
 */
export function compareStanding(
  series: ReplayedSeries,
  { body, mayName }: CalculatedStanding,
  to: Instant,
): FoundDifference | undefined {
  const { reader } = series;
  const standing = findStanding(reader, series);
  if (!standing)
    return body === undefined
      ? undefined
      : { at: findLastValue(reader, series, to)?.at ?? 0, reason: 'its state is missing' };
  if (standing.calculated_to > to) return undefined;
  const at = standing.calculated_to;
  if (!isDeepStrictEqual(standing.body, body))
    return { at, reason: 'its state differs from what the stored inputs give' };
  return mayName(standing.definition_key)
    ? undefined
    : { at, reason: 'its state names another definition than it was calculated with' };
}

/** Compares calculated prints with recorded ones. @returns the number of prints, or the first difference */
export function compare(
  calculated: readonly ComparedPrint[],
  recorded: readonly ComparedPrint[],
): number | FoundDifference {
  for (let i = 0; i < Math.max(calculated.length, recorded.length); i++) {
    const [ours, theirs] = [calculated[i], recorded[i]];
    if (!ours || (theirs && theirs.at < ours.at))
      return { at: theirs?.at ?? 0, reason: 'the stored inputs give no print here' };
    if (!theirs || ours.at < theirs.at)
      return { at: ours.at, reason: 'the stored inputs give a print that is missing' };
    const field = differingField(ours, theirs);
    if (field) return { at: ours.at, reason: `${field} differs from what the stored inputs give` };
  }
  return recorded.length;
}
