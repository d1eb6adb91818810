import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import type { RateFamily } from './rate-family.ts';
import { configuredShares, weightedMean } from './shares.ts';

/** The mean of the sources that have a price, each with the same share. */
export const simpleAverage = ({ sources }: RateDefinitionOf<'simple_average'>): RateFamily => {
  const parts = sources.map(() => 1);
  const shares = configuredShares(sources);
  return {
    version: 'simple_average-1.2',
    price: (readings) => weightedMean(readings, parts),
    parts: () => parts,
    catalogShares: () => shares,
  };
};
