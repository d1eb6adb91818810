import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import type { RateFamily } from './rate-family.ts';
import { configuredShares, weighByVolume } from './shares.ts';

/** The mean of the sources by their lifetime volumes known at the print. */
export const volumeWeighted = ({ sources }: RateDefinitionOf<'volume_weighted'>): RateFamily => {
  const shares = configuredShares(sources);
  return {
    version: 'volume_weighted-1.2',
    needs: 'volume',
    price: (readings) => weighByVolume(readings, shares),
    parts: () => shares,
    catalogShares: () => shares,
  };
};
