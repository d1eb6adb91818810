import type { IndexDefinition } from '../../model/definitions/index-definition.ts';
import { basket, composite } from './basket.ts';
import { basketStretch } from './basket-stretch.ts';
import { gauge } from './gauge.ts';
import { gaugeStretch } from './gauge-stretch.ts';
import {
  type IndexCalculation,
  type IndexFamily,
  type IndexInput,
  pricedConstituents,
} from './index-family.ts';
import { nti } from './nti.ts';
import { catalogShares } from './shares.ts';
import type { Stretch, StretchInput } from './stretch.ts';
import { totalReturn } from './total-return.ts';

const FAMILIES = { basket, composite, gauge, nti, total_return: totalReturn } as const satisfies {
  [Methodology in IndexDefinition['methodology']]: IndexFamily<
    Extract<IndexDefinition, { methodology: Methodology }>
  >;
};

/** The version of the methodology that an index is calculated by. */
export function indexVersion({ methodology }: IndexDefinition): string {
  return FAMILIES[methodology].version;
}

/** Calculates an index at one instant by the family that its definition names. */
export function calculateIndex(input: IndexInput): IndexCalculation {
  const family: IndexFamily = FAMILIES[input.definition.methodology];
  return family.calculate(input);
}

/**
 * The stretch of an index from the i-th of some instants on at which nothing but marks changes, for the families
 * that know such; undefined where a step may be due at once.
 */
export function calmStretch(input: StretchInput, from: number): Stretch | undefined {
  const { definition } = input;
  switch (definition.methodology) {
    case 'basket':
    case 'composite':
      return basketStretch({ ...input, definition }, from, FAMILIES[definition.methodology].version);
    case 'gauge':
      return gaugeStretch({ ...input, definition }, from, FAMILIES.gauge.version);
    default:
      return undefined;
  }
}

/**
 * Whether an index knows when its weights or seats were last set: those of a gauge are the definition's own, and a
 * total return has none.
 */
export function setsWeights({ methodology }: IndexDefinition): boolean {
  return methodology !== 'gauge' && methodology !== 'total_return';
}

/**
 * Whether a changed definition prices other names or weights, so that its index is to be reconstituted. A
 * team index takes names in and out by steps of their own and is reconstituted by its calendar alone.
 */
export function pricesOtherwise(earlier: IndexDefinition | undefined, definition: IndexDefinition): boolean {
  if (earlier === undefined || earlier === definition) return false;
  return whatIsPriced(earlier) !== whatIsPriced(definition);
}

function whatIsPriced(definition: IndexDefinition): string {
  if (definition.methodology === 'nti' || definition.methodology === 'total_return') return '';
  const names = pricedConstituents(definition).map((each) => [
    each.market_id,
    each.weight,
    definition.methodology === 'composite' ? each.groups : 'attributes' in each && each.attributes,
  ]);
  return JSON.stringify([names, definition.weighting]);
}

/**
 * The shares that a definition gives its constituents before the first print, by their ids. In a team index
 * seats are equal, and members of a seat; sizes are not known yet.
 */
export function definedShares(definition: IndexDefinition): Map<string, number> {
  const constituents = definition.constituents.filter((each) => each.status === 'included');
  const shares = sharesOf(definition);
  return new Map(constituents.map((each, i) => [each.market_id, shares[i] as number]));
}

function sharesOf(definition: IndexDefinition): number[] {
  if (definition.methodology === 'total_return') return [1];
  if (definition.methodology !== 'nti') return catalogShares(definition, pricedConstituents(definition));
  const members = pricedConstituents(definition);
  const seats = new Set(members.map((each) => each.seat)).size;
  return members.map(({ seat }) => 1 / seats / members.filter((each) => each.seat === seat).length);
}
