import { isDeepStrictEqual } from 'node:util';
import type { SeriesId } from '../../model/constituent-id.ts';
import type { Instant } from '../../model/units.ts';
import type { InForce } from '../../store/definitions/definitions.ts';
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
 * A series that is calculated once more in the order in which it was, and compared with its record. It goes on from the
 * print before a range, by what is recorded of it.
 */
export interface SeriesReplay {
  /** What is calculated for the range that was asked for: from the print before it on, and maybe further. */
  readonly range: VerifiedRange;
  /** What a run calculated at a window of its instants. @returns the number of equal prints, or a difference */
  calculate(version: InForce, window: readonly Instant[], run: Instant): number | FoundDifference;
  /** What a recalculation of its instants gave. @returns the number of equal prints, or a difference */
  recalculate(recalculation: Recalculation, instants: readonly Instant[]): number | FoundDifference;
  /**
   * What is left when all was calculated once more: prints that no run gave, and what is recorded beside them.
   *
   * @returns the number of equal prints that were not compared before, or a difference
   */
  end(): number | FoundDifference;
}

/** A ticker with all that was ever adopted for it, and for every rate. */
export interface ReplayedSeries extends SeriesId {
  reader: Reader;
  /** The oldest first. */
  versions: readonly InForce[];
  rates: readonly InForce[];
}

/** Reads the prints of a series from an instant on, each time up to another and from where the last time ended. */
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
 * The prints that a recalculation is compared with: those in force in its span, but for such as stand because it gave
 * nothing for their instant.
 */
export function renewed<Print extends { at: Instant; recorded_at: Instant }>(
  inForce: readonly Print[],
  calculated: readonly { at: Instant }[],
  { recorded_at }: Recalculation,
): Print[] {
  const given = new Set(calculated.map((print) => print.at));
  return inForce.filter((print) => given.has(print.at) || print.recorded_at === recorded_at);
}

/**
 * Compares what a series stands at after all with what was noted: its next print goes on from there.
 *
 * @param to where calculating ended; nothing is compared where the series stands later
 */
export function compareStanding(
  { reader, kind, ticker }: ReplayedSeries,
  body: unknown,
  to: Instant,
): FoundDifference | undefined {
  const standing = findStanding(reader, kind, ticker);
  return standing && standing.calculated_to <= to && !isDeepStrictEqual(standing.body, body)
    ? { at: standing.calculated_to, reason: 'how it stands differs from what the stored inputs give' }
    : undefined;
}

/** Compares prints with those recorded, one by one. @returns the number of prints, or the first difference */
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
