import type { RateDefinitionOf } from '../../model/definitions/rate-definition.ts';
import type { MeanFamily } from './rate-family.ts';
import { configuredShares } from './shares.ts';

/**
 * The mean of the sources, weighted by their lifetime volumes known at the print. The sources of a claim price are the
 * same claim at several venues; those of a team sleeve fill a seat of a team index.
 */
export const volumeWeighted = ({
  methodology,
  sources,
}: RateDefinitionOf<'volume_weighted' | 'claim_price' | 'team_sleeve'>): MeanFamily => {
  const shares = configuredShares(sources);
  return {
    version: `${methodology}-1.4`,
    represents: sources,
    needs: 'volume',
    parts: () => shares,
    catalogShares: () => shares,
    formula(lines) {
      const volumes = lines.filter(({ state }) => state === 'included').map(({ volume }) => volume);
      return volumes.includes(undefined) || volumes.every((volume) => volume === 0)
        ? 'mean of the included marks by the weights of the definition, since not all volumes are known'
        : 'sum of volume x mark / sum of volume, over the included';
    },
  };
};
