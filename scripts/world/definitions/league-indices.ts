import { type League, strongestFirst, type Team } from '../topics/league-teams.ts';
import { basket, type IndexDefinition, withKeys } from './index-definition.ts';
import type { MarketFinder } from './market-finder.ts';

/** A league's contenders, its conferences, and whole seasons of the strongest teams where there are no team indices. */
export function listLeagueIndices(league: League, find: MarketFinder): IndexDefinition[] {
  const { code, token } = league;
  const strongest = strongestFirst(league);
  const conferences = [...new Set(league.teams.map(({ conference }) => conference))];
  const chosen = code === 'CBL' ? strongest.slice(0, 2) : [];
  return [
    basket(
      {
        ticker: `SIM${code}TOP`,
        name: `${league.name} contenders`,
        description: 'Championship contracts of the eight strongest teams at the base, in equal value.',
      },
      strongest.slice(0, 8).map((team) => ({ market_id: find.kalshi(`SIM${code}-${token}-${team.code}`) })),
      'value',
    ),
    ...conferences.map((conference) =>
      withKeys(
        basket(
          {
            ticker: `SIM${code}${conference.toUpperCase()}`,
            name: `${league.name}, ${conference} conference`,
            description: `Conference contracts of the six strongest teams of the ${conference}, in equal value.`,
          },
          strongest
            .filter((team) => team.conference === conference)
            .slice(0, 6)
            .map((team) => ({
              market_id: find.kalshi(`SIM${code}${conference.toUpperCase()}-${token}-${team.code}`),
              groups: { division: team.division },
            })),
          'value',
        ),
        { group_by: 'division' },
      ),
    ),
    ...chosen.map((team) =>
      basket(
        {
          ticker: `SIM${code}${team.code}`,
          name: `${team.city} ${team.name} season basket`,
          description: `Championship, conference, division and win totals of the ${team.city} ${team.name}.`,
        },
        teamMarkets(league, team).map((ticker) => ({ market_id: find.kalshi(ticker) })),
        'value',
      ),
    ),
  ];
}

function teamMarkets(league: League, team: Team): string[] {
  const { code, token } = league;
  const conference = team.conference.toUpperCase();
  const lines = league.win_lines.slice(2, 5).map(Math.ceil);
  return [
    `SIM${code}-${token}-${team.code}`,
    `SIM${code}${conference}-${token}-${team.code}`,
    `SIM${code}${conference}${team.division.toUpperCase()}-${token}-${team.code}`,
    ...lines.map((line) => `SIM${code}WINS-${token}-${team.code}-${line}`),
  ];
}
