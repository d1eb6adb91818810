import { pricedConstituents } from '../../model/definitions/definition.ts';
import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import { definedInstant } from '../../model/time.ts';
import { basket, composite } from './basket.ts';
import { gauge } from './gauge.ts';
import type { IndexCalculation, IndexFamily } from './index-family.ts';
import type { IndexInput } from './index-input.ts';
import { nti } from './nti.ts';
import { totalReturn } from './total-return.ts';

const FAMILIES = { basket, composite, gauge, nti, total_return: totalReturn } as const satisfies {
  [Methodology in IndexDefinition['methodology']]: IndexFamily<
    Extract<IndexDefinition, { methodology: Methodology }>
  >;
};

/** The family that a definition names. */
export function indexFamilyOf({ methodology }: Pick<IndexDefinition, 'methodology'>): IndexFamily {
  return FAMILIES[methodology];
}

/** Calculates an index at one instant by the family that its definition names. Before its base there is nothing. */
export function calculateIndex(input: IndexInput): IndexCalculation {
  const { definition, at, before } = input;
  if (!before && at < definedInstant(definition.base_at)) return { steps: [] };
  const family = indexFamilyOf(definition);
  const { print, ...rest } = before ? family.advance(input, before) : family.open(input);
  return print ? { ...rest, print: { ...print, methodology_version: family.version } } : rest;
}

/**
 * Whether a changed definition has other constituents or weights, so that the index must be reconstituted. In a team
 * index constituents come and go by steps of their own, and only its calendar reconstitutes it.
 */
export function pricesOtherwise(earlier: IndexDefinition | undefined, definition: IndexDefinition): boolean {
  if (earlier === undefined || earlier === definition) return false;
  const priced = (each: IndexDefinition) => JSON.stringify(indexFamilyOf(each).priced?.(each));
  return priced(earlier) !== priced(definition);
}

/**
 * The shares that a definition gives its constituents before the first print, by their ids. In a team index all seats
 * have equal shares, and so have the members of a seat; sizes are not known yet.
 */
export function definedShares(definition: IndexDefinition): Map<string, number> {
  const shares = indexFamilyOf(definition).definedShares(definition);
  return new Map(pricedConstituents(definition).map((each, i) => [each.market_id, shares[i] as number]));
}
