import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { ExcludeReason } from '../../model/mark.ts';
import { memoized } from '../../model/memoized.ts';
import type { RatePrint } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { ContractHistory, FindView } from '../contract-views.ts';
import { isAboveHalfCent, isBelowHalfCent } from '../half-cent.ts';
import { isNewer } from '../newer.ts';
import { eventContract } from './event-contract.ts';
import { printRate } from './print-rate.ts';
import { RateColumns } from './rate-columns.ts';
import { isMean, type RateFamily } from './rate-family.ts';
import type { RateHistory } from './rate-history.ts';
import { robustMedian } from './robust-median.ts';
import { rolling } from './rolling.ts';
import { simpleAverage } from './simple-average.ts';
import { volumeWeighted } from './volume-weighted.ts';
import { winTotal } from './win-total.ts';

/** The family that a definition names, created once for each definition: that is an object which never changes. */
export const rateFamilyOf = memoized(makeFamily, new WeakMap());

function makeFamily(definition: RateDefinition): RateFamily {
  switch (definition.methodology) {
    case 'event_contract':
      return eventContract(definition);
    case 'simple_average':
      return simpleAverage(definition);
    case 'volume_weighted':
    case 'claim_price':
    case 'team_sleeve':
      return volumeWeighted(definition);
    case 'robust_median':
      return robustMedian(definition);
    case 'win_total':
      return winTotal(definition);
    case 'rolling':
      return rolling(definition);
  }
}

/**
 * Calculates a rate at one instant by the family that its definition names.
 *
 * @param before the print before; if nothing has changed since, there is no print
 * @param history volumes and hours of the sources, for a family that needs them
 */
export function calculateRate(
  definition: RateDefinition,
  view: FindView,
  at: Instant,
  before: RatePrint | undefined,
  history?: RateHistory,
): RatePrint | undefined {
  const print = printRate(rateFamilyOf(definition), definition, view, at, history);
  if (!print || (before && !isNewer(before.lines, print.lines))) return undefined;
  return print;
}

/**
 * The rate as columns, for families that are a weighted mean of their sources; undefined for the others.
 *
 * @param contracts of the sources in their order, undefined if the catalog has never seen the market
 * @param before the print before; if nothing has changed since, there is no print
 */
export function rateColumns(
  definition: RateDefinition,
  contracts: readonly (ContractHistory | undefined)[],
  history: RateHistory,
  before: RatePrint | undefined,
): RateColumns | undefined {
  const family = rateFamilyOf(definition);
  return isMean(family) ? new RateColumns(definition, family, contracts, history, before) : undefined;
}

/**
 * Whether a print is based on the half-cent floor alone: the first real price will replace it. A median of an hour in
 * which there were quotes is not, even if they are all gone at its end.
 */
export function restsOnFloor({ price, lines }: RatePrint): boolean {
  if (isBelowHalfCent(price) || isAboveHalfCent(price)) return false;
  return lines.every((line) => line.state !== 'included' || line.basis === 'floor');
}

/**
 * Why a print is no price for an index, as for a market in that state: of the sources that have a weight nobody has traded
 * any, and none has a book of two sides.
 */
export function failedPrint({ lines }: RatePrint): ExcludeReason | undefined {
  const inputs = lines.filter((line) => line.state === 'included' && line.weight > 0);
  const bases = inputs.flatMap((line) => line.basis ?? []);
  if (bases.some((basis) => basis !== 'floor' && basis !== 'bid' && basis !== 'ask')) return undefined;
  return bases.every((basis) => basis === 'floor') ? 'no_book' : 'one_sided_book';
}

/** Whether a print is a half-cent print, or the real price in the place of one: that was observed after its instant. */
export function isHalfCent(print: RatePrint): boolean {
  return restsOnFloor(print) || print.lines.some((line) => (line.observed_at ?? 0) > print.at);
}
