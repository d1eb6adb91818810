import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import { DAY_MS, definedInstant, parseInstant } from '../../model/time.ts';
import type { Instant, Weight } from '../../model/units.ts';
import type { MeanFamily } from './rate-family.ts';

type Definition = RateDefinitionOf<'rolling'>;

/**
 * A chain of contracts, each used in its turn. With step_change the next one takes over at roll_at; with linear_blend
 * its share grows linearly from 0 to 1 over the days before. If one of two blended contracts has no price, the other
 * takes its share.
 */
export const rolling = (definition: Definition): MeanFamily => {
  const parts = (at: Instant) => turnShares(definition, at).map((share) => (share > 0 ? share : undefined));
  return {
    version: 'rolling-1.4',
    // Its last contract; the others have had their turn.
    represents: definition.sources.slice(-1).map(({ market_id }) => ({ market_id, weight: 1 })),
    parts,
    catalogShares: (at) => turnShares(definition, at),
    formula: () => 'sum of weight x mark, by the calendar of the chain',
  };
};

/**
 * The share of each contract of a chain at an instant, from the calendar alone.
 *
 * @returns fractions that sum to 1, in the order of the chain; at most two are above 0
 * @example half a day before roll_at with a blend of 2 days: [0.25, 0.75]
 */
export function turnShares({ roll, sources }: Definition, at: Instant): Weight[] {
  const front = sources.findIndex((each) => each.roll_at === undefined || at < definedInstant(each.roll_at));
  const rollAt = parseInstant(sources[front]?.roll_at ?? '');
  const next =
    rollAt === undefined || roll.kind === 'step_change'
      ? 0
      : Math.max(0, 1 - (rollAt - at) / (roll.days * DAY_MS));
  return sources.map((_each, i) => (i === front ? 1 - next : i === front + 1 ? next : 0));
}
