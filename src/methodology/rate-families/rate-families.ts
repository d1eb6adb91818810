import type { RatePrint } from '../../model/print.ts';
import type { RateDefinition } from '../../model/rate-definition.ts';
import type { Instant } from '../../model/units.ts';
import type { FindView } from '../contract-views.ts';
import { isNewer } from '../newer.ts';
import { eventContract } from './event-contract.ts';
import { printRate, type RateFamily } from './rate-family.ts';
import { simpleAverage } from './simple-average.ts';

const FAMILIES: { [Methodology in RateDefinition['methodology']]: RateFamily } = {
  event_contract: eventContract,
  simple_average: simpleAverage,
};

/**
 * Calculates a rate at one instant by the family that its definition names.
 *
 * @param before the print before; without something newer there is no print
 */
export function calculateRate(
  definition: RateDefinition,
  view: FindView,
  at: Instant,
  before: RatePrint | undefined,
): RatePrint | undefined {
  const print = printRate(FAMILIES[definition.methodology], definition, view, at);
  if (!print || (before && !isNewer(before.lines, print.lines))) return undefined;
  return print;
}

/** Whether a rate rests on the half-cent floor alone: such a print gives way to the first real price. */
export function restsOnFloor(print: RatePrint): boolean {
  return print.lines.every((line) => line.state !== 'included' || line.basis === 'floor');
}
