import { calculateRate, isHalfCent, restsOnFloor } from '../../methodology/rate-families/rate-families.ts';
import type { SeriesId } from '../../model/constituent-id.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import type { InForce } from '../../store/definitions/definitions.ts';
import { findRatePrint } from '../../store/prints/rate-prints.ts';
import { listRecalculations } from '../../store/restatements.ts';
import type { Reader } from '../../store/store.ts';
import { findCalculating } from '../series/calculated-instants.ts';
import { MarketReads } from '../series/market-reads.ts';
import { loadRate } from './series-inputs.ts';

/**
 * Moves the start of a recalculation of a rate back to the first of the half-cent prints just before it: if the
 * recalculation gives another first real price, that takes their place. What has already replaced a half-cent print may
 * look like any other print, so for each the last calculation of its instant is repeated to find out.
 */
export function fromHalfCents(
  reader: Reader,
  series: SeriesId,
  versions: readonly InForce[],
  from: Instant,
): Instant {
  for (let first = from; ; ) {
    const before = findRatePrint(reader, series.ticker, first - 1);
    if (!before || !(isHalfCent(before) || wasHalfCent(reader, series, versions, before.at))) return first;
    first = before.at;
  }
}

/** Whether the last calculation of an instant gave a half-cent print, before a later price took its place. */
function wasHalfCent(reader: Reader, series: SeriesId, versions: readonly InForce[], at: Instant): boolean {
  const calculated = findCalculating(reader, series, versions, at);
  if (!calculated) return false;
  const { run, version } = calculated;
  const again = listRecalculations(reader, series).findLast(
    ({ from_at, until_at }) => from_at <= at && at <= until_at,
  );
  const definition = version.definition as RateDefinition;
  const knownAt = again?.recorded_at ?? run;
  const { views, history } = loadRate(reader, definition, [at], { reads: new MarketReads(), knownAt });
  const print = calculateRate(definition, views.at(at), at, undefined, history);
  return print !== undefined && restsOnFloor(print);
}
