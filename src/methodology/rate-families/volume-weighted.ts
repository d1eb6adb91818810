import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import type { MeanFamily } from './rate-family.ts';
import { configuredShares } from './shares.ts';

/** The mean of the sources by their lifetime volumes known at the print. */
export const volumeWeighted = ({ sources }: RateDefinitionOf<'volume_weighted'>): MeanFamily => {
  const shares = configuredShares(sources);
  return {
    version: 'volume_weighted-1.2',
    needs: 'volume',
    parts: () => shares,
    catalogShares: () => shares,
  };
};
