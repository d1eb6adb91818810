import { pricedConstituents } from '../../model/definitions/definition.ts';
import type {
  BasketDefinition,
  CompositeDefinition,
  GaugeDefinition,
  IndexDefinition,
} from '../../model/definitions/index-definition.ts';
import { SCHEMES } from '../../model/definitions/weighting.ts';
import { sum } from '../sum.ts';
import type { FindSize } from './index-input.ts';

/** Definitions of the families that weight constituents by a scheme. */
export type WeightedDefinition = BasketDefinition | CompositeDefinition | GaugeDefinition;
export type WeightedConstituent = WeightedDefinition['constituents'][number];

/**
 * The weight of each constituent, before scaling to a sum of 1. By volume or liquidity, a constituent whose size is 0
 * or unknown counts as the smallest known one; if none is known, all are equal.
 *
 * @returns one weight for each constituent given, in their order, above 0
 */
export function rawWeights(
  definition: WeightedDefinition,
  constituents: readonly WeightedConstituent[],
  sizeOf: FindSize = () => undefined,
): number[] {
  if (definition.methodology === 'composite') return categoryWeights(definition, constituents);
  const { weighting } = definition;
  if (SCHEMES[weighting.scheme] !== null) {
    const sizes = constituents.map((each) => sizeOf(each.market_id) ?? 0);
    const known = sizes.filter((size) => size > 0);
    const least = known.length > 0 ? Math.min(...known) : 1;
    return sizes.map((size) => (size > 0 ? size : least));
  }
  const { attribute } = weighting;
  return constituents.map((each) =>
    attribute === undefined ? (each.weight ?? 1) : (attributesOf(each).get(attribute) ?? 0),
  );
}

/** Weights categories by their own weights, and within a category its constituents by theirs, or equally. */
function categoryWeights(
  { weighting }: CompositeDefinition,
  constituents: readonly WeightedConstituent[],
): number[] {
  const own = (each: WeightedConstituent) => each.weight ?? 1;
  const total = new Map<string, number>();
  const categoryOf = (each: WeightedConstituent) => ('category' in each ? each.category : '');
  for (const each of constituents) {
    const category = categoryOf(each);
    total.set(category, (total.get(category) ?? 0) + own(each));
  }
  const weights = new Map(Object.entries(weighting.categories));
  return constituents.map((each) => {
    const category = categoryOf(each);
    return ((weights.get(category) ?? 0) * own(each)) / (total.get(category) ?? 1);
  });
}

function attributesOf(each: WeightedConstituent): Map<string, number> {
  return new Map(Object.entries('attributes' in each ? (each.attributes ?? {}) : {}));
}

/**
 * The shares of some constituents by the definition's scheme, none above its cap.
 *
 * @returns one share for each constituent given, in their order; they sum to 1
 */
export function targetShares(
  definition: WeightedDefinition,
  constituents: readonly WeightedConstituent[],
  sizeOf?: FindSize,
): number[] {
  const weights = rawWeights(definition, constituents, sizeOf);
  const total = sum(weights);
  const shares = weights.map((weight) => weight / total);
  const { cap } = definition.weighting;
  return cap === undefined ? shares : capShares(shares, cap);
}

/** The shares of the priced constituents of a definition before the first print: sizes are not known yet. */
export function weighedShares(definition: WeightedDefinition): number[] {
  return targetShares(definition, pricedConstituents(definition));
}

/** What a definition prices: its constituents with everything that determines their weights. */
export function weighedNames(definition: WeightedDefinition): unknown {
  const names = pricedConstituents(definition).map((each) => [
    each.market_id,
    each.weight,
    definition.methodology === 'composite' ? each.groups : 'attributes' in each && each.attributes,
  ]);
  return [names, definition.weighting];
}

/**
 * Limits shares to a cap. The excess goes to the others in proportion to their shares, repeatedly until none exceeds
 * the cap. With too few constituents for the cap, all are equal.
 *
 * @example capShares([0.6, 0.3, 0.1], 0.5) // [0.5, 0.375, 0.125]
 */
export function capShares(shares: readonly number[], cap: number): number[] {
  if (shares.length * cap <= 1) return shares.map(() => 1 / shares.length);
  const capped = new Set<number>();
  for (;;) {
    const open = sum(shares.filter((_share, i) => !capped.has(i)));
    const scale = (1 - capped.size * cap) / open;
    const over = shares.flatMap((share, i) => (!capped.has(i) && share * scale > cap ? [i] : []));
    if (over.length === 0) return shares.map((share, i) => (capped.has(i) ? cap : share * scale));
    for (const i of over) capped.add(i);
  }
}

/** The size of its markets that a definition weights by; null if its weights do not change with time. */
export function sizeMeasure(definition: IndexDefinition) {
  return definition.methodology === 'basket' ? SCHEMES[definition.weighting.scheme] : null;
}
