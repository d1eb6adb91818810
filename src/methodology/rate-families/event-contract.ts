import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import type { MeanFamily } from './rate-family.ts';
import { configuredShares } from './shares.ts';

/** The price of one contract, by the ladder of Spec 2.5.2. */
export const eventContract = ({ sources }: RateDefinitionOf<'event_contract'>): MeanFamily => {
  const shares = configuredShares(sources);
  return {
    version: 'event_contract-1.4',
    represents: sources,
    parts: () => shares,
    catalogShares: () => shares,
    formula: () => 'mark of the source',
  };
};
