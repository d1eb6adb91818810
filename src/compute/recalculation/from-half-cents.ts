import { calculateRate, isHalfCent, restsOnFloor } from '../../methodology/rate-families/rate-families.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { RatePrint } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import { findRatePrint } from '../../store/prints/rate-prints.ts';
import type { Reader } from '../../store/store.ts';
import type { CalculationLog } from '../series/calculated-instants.ts';
import { MarketReads } from '../series/market-reads.ts';
import { loadRate } from './series-inputs.ts';

/**
 * Moves the start of a recalculation of a rate back over the half-cent prints just before it, which may get another
 * first price. What has replaced one need not show that, so the others are calculated as they last were.
 */
export function fromHalfCents(reader: Reader, ticker: string, log: CalculationLog, from: Instant): Instant {
  let first = from;
  for (let at = from; ; ) {
    const before = findRatePrint(reader, ticker, at - 1);
    if (!before) return first;
    at = before.at;
    const last = isHalfCent(before) ? before : lastCalculation(reader, log, at);
    if (last === before || (last && restsOnFloor(last))) first = at;
    // Where the last calculation gave no print, an earlier one remains in force.
    else if (last) return first;
  }
}

/** What the last calculation of an instant gave, before any later price took its place; undefined for no print. */
function lastCalculation(
  reader: Reader,
  { runs, recalculations }: CalculationLog,
  at: Instant,
): RatePrint | undefined {
  // An instant that no run calculated belongs to the run that came next.
  const calculated = runs.find(({ instants }) => (instants.at(-1) ?? 0) >= at);
  if (!calculated) return undefined;
  const { run, version } = calculated;
  const again = recalculations.findLast(({ from_at, until_at }) => from_at <= at && at <= until_at);
  const definition = version.definition as RateDefinition;
  const knownAt = again?.recorded_at ?? run;
  const { views, history } = loadRate(reader, definition, [at], { reads: new MarketReads(), knownAt });
  return calculateRate(definition, views.at(at), at, undefined, history);
}
