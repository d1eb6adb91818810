import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import type { MeanFamily } from './rate-family.ts';
import { configuredShares } from './shares.ts';

/** The unweighted mean of the sources that have a price. */
export const simpleAverage = ({ sources }: RateDefinitionOf<'simple_average'>): MeanFamily => {
  const parts = sources.map(() => 1);
  const shares = configuredShares(sources);
  return {
    version: 'simple_average-1.4',
    represents: sources,
    parts: () => parts,
    catalogShares: () => shares,
    formula: () => 'mean of the included marks',
  };
};
