import { LEAGUES } from '../topics/league-teams.ts';
import { listEconomyIndices } from './economy-indices.ts';
import { listElectionIndices } from './election-indices.ts';
import type { IndexDefinition } from './index-definition.ts';
import { listLeagueIndices } from './league-indices.ts';
import type { MarketFinder } from './market-finder.ts';
import { listPolicyIndices } from './policy-indices.ts';

/** The demo's indices over the simulated world. */
export function listIndexDefinitions(find: MarketFinder): IndexDefinition[] {
  return [
    ...listElectionIndices(find),
    ...listPolicyIndices(find),
    ...LEAGUES.flatMap((league) => listLeagueIndices(league, find)),
    ...listEconomyIndices(find),
  ];
}
