import { indexFamilyOf } from '../../methodology/index-families/index-families.ts';
import type { Printed } from '../../methodology/index-families/index-input.ts';
import { type LevelStep, linkedLevel } from '../../methodology/index-families/linked-members.ts';
import { differs } from '../../methodology/rounding.ts';
import type { SeriesId } from '../../model/constituent-id.ts';
import { isRate } from '../../model/definitions/definition.ts';
import { memoized } from '../../model/memoized.ts';
import type { Instant } from '../../model/units.ts';
import { findNewestDefinition } from '../../store/definitions/definitions.ts';
import { hasMovingSteps, listKnownSteps } from '../../store/prints/divisor-steps.ts';
import { EVER, findFirstRecording } from '../../store/prints/known-prints.ts';
import { listRecalculations } from '../../store/restatements.ts';
import type { Reader } from '../../store/store.ts';

/** A print as first recorded. */
interface FirstPrint {
  at: Instant;
  value: number;
  recorded_at: Instant;
}

/**
 * The prints of a constituent with what links them across the steps that move it, if it is an index that steps move.
 *
 * @param prints as first recorded, ascending
 */
export function linkedPrints(reader: Reader, series: SeriesId, prints: readonly FirstPrint[]): Printed[] {
  const stepsOf = loadStepsOf(reader, series);
  if (!stepsOf) return prints.map(({ at, value }) => ({ at, value }));
  const recordedAt = memoized(
    (at: Instant) => findFirstRecording(reader, series, at) ?? 0,
    new Map(prints.map(({ at, recorded_at }) => [at, recorded_at])),
  );
  const stepsAt = (at: Instant) => stepsOf(at, recordedAt(at));
  return prints.map(({ at, value }) => ({
    at,
    value,
    linkedSince: (since) => (since === at ? undefined : linkedLevel(value, stepsAt(since), stepsAt(at))),
  }));
}

/**
 * Looks up the steps that moved an index up to a print, as its ledger stood when that was first recorded; undefined if
 * steps do not move it.
 */
function loadStepsOf(
  reader: Reader,
  { kind, ticker }: SeriesId,
): ((at: Instant, recordedAt: Instant) => LevelStep[]) | undefined {
  if (kind !== 'index' || !hasMovingSteps(reader, ticker)) return undefined;
  const definition = findNewestDefinition(reader, { kind, ticker });
  if (!definition || isRate(definition) || !indexFamilyOf(definition).movesByStep) return undefined;
  const recalculated = listRecalculations(reader, { kind, ticker }).map((each) => each.recorded_at);
  const ledgerOf = memoized((known: Instant) => listMoving(reader, ticker, known));
  return (at, recordedAt) => {
    // A run adds steps only after all earlier prints, so that only a recalculation gives another ledger up to a print.
    const known = recalculated.findLast((each) => each <= recordedAt) ?? 0;
    return ledgerOf(known).filter((step) => step.at <= at);
  };
}

function listMoving(reader: Reader, ticker: string, known: Instant): LevelStep[] {
  return listKnownSteps(reader, ticker, EVER, known).filter((step) =>
    differs(step.level_before, step.level_after),
  );
}
