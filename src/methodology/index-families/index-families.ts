import type { IndexDefinition } from '../../model/index-definition.ts';
import { basket } from './basket.ts';
import { gauge } from './gauge.ts';
import {
  catalogShares,
  type IndexCalculation,
  type IndexFamily,
  type IndexInput,
  pricedConstituents,
} from './index-family.ts';
import { nti } from './nti.ts';

const FAMILIES = { basket, gauge, nti } as const satisfies {
  [Methodology in IndexDefinition['methodology']]: IndexFamily<
    Extract<IndexDefinition, { methodology: Methodology }>
  >;
};

/** Calculates an index at one instant by the family that its definition names. */
export function calculateIndex(input: IndexInput): IndexCalculation {
  const { definition } = input;
  switch (definition.methodology) {
    case 'basket':
      return FAMILIES.basket.calculate({ ...input, definition });
    case 'gauge':
      return FAMILIES.gauge.calculate({ ...input, definition });
    case 'nti':
      return FAMILIES.nti.calculate({ ...input, definition });
  }
}

/**
 * Whether a changed definition prices other names or weights, so that its index is to be reconstituted. A
 * team index takes names in and out by steps of their own and is reconstituted by its calendar alone.
 */
export function pricesOtherwise(earlier: IndexDefinition | undefined, definition: IndexDefinition): boolean {
  if (earlier === undefined || earlier === definition || definition.methodology === 'nti') return false;
  return whatIsPriced(earlier) !== whatIsPriced(definition);
}

function whatIsPriced(definition: IndexDefinition): string {
  if (definition.methodology === 'nti') return '';
  const names = pricedConstituents(definition).map((each) => [each.market_id, each.weight]);
  return JSON.stringify([names, definition.weighting]);
}

/**
 * The shares that a definition gives its constituents before the first print, by their ids. In a team index
 * seats are equal, and members of a seat.
 */
export function definedShares(definition: IndexDefinition): Map<string, number> {
  if (definition.methodology !== 'nti') {
    const constituents = pricedConstituents(definition);
    const shares = catalogShares(definition, constituents);
    return new Map(constituents.map((each, i) => [each.market_id, shares[i] as number]));
  }
  const members = pricedConstituents(definition);
  const inSeat = (seat: string) => members.filter((each) => each.seat === seat).length;
  const seats = new Set(members.map((each) => each.seat)).size;
  return new Map(members.map((each) => [each.market_id, 1 / seats / inSeat(each.seat)]));
}
