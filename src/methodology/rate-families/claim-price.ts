import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import type { MeanFamily } from './rate-family.ts';
import { configuredShares } from './shares.ts';

/** One claim as several venues price it, by the lifetime volumes known at the print. */
export const claimPrice = ({ sources }: RateDefinitionOf<'claim_price'>): MeanFamily => {
  const shares = configuredShares(sources);
  return {
    version: 'claim_price-1.2',
    needs: 'volume',
    parts: () => shares,
    catalogShares: () => shares,
  };
};
