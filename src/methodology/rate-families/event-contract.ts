import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import type { RateFamily } from './rate-family.ts';
import { configuredShares, weightedMean } from './shares.ts';

/** The price of one contract, by the ladder of Spec 2.5.2. */
export const eventContract = ({ sources }: RateDefinitionOf<'event_contract'>): RateFamily => {
  const shares = configuredShares(sources);
  const parts = [1];
  return {
    version: 'event_contract-1.2',
    price: (readings) => weightedMean(readings, parts),
    parts: () => parts,
    catalogShares: () => shares,
  };
};
