import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import type { MeanFamily } from './rate-family.ts';
import { configuredShares } from './shares.ts';

/** What fills a seat of a team index, by the lifetime volumes known at the print. */
export const teamSleeve = ({ sources }: RateDefinitionOf<'team_sleeve'>): MeanFamily => {
  const shares = configuredShares(sources);
  return {
    version: 'team_sleeve-1.2',
    needs: 'volume',
    parts: () => shares,
    catalogShares: () => shares,
  };
};
