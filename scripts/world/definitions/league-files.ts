import { LEAGUES, type League } from '../topics/league-teams.ts';
import { BASE } from './index-definition.ts';
import type { MarketFinder } from './market-finder.ts';

/** A definition file of a whole league. */
interface LeagueFile {
  name: string;
  definition: object;
}

/** The leagues that have team indices; in the other one there are baskets for its strongest teams. */
export function listLeagueFiles(find: MarketFinder): LeagueFile[] {
  return LEAGUES.filter(({ code }) => code === 'AFL').map((league) => leagueFile(league, find));
}

/** One file for all teams of a league: four seats each, the champion's contracts of both venues in the first. */
function leagueFile(league: League, find: MarketFinder): LeagueFile {
  const { code, token } = league;
  const definition = {
    $schema: '../../schemas/league-definition.schema.json',
    league: league.name,
    season: league.season,
    ticker: `SIM${code}{code}`,
    name: '{team} (simulated)',
    description: 'Team index of the {team} in the {season} season of the {league}.',
    visibility: 'public',
    base_at: BASE,
    interval_minutes: 240,
    seats: {
      championship: [`venue_a:SIM${code}-${token}-{code}`],
      conference: [`venue_a:SIM${code}{conference}-${token}-{code}`],
      division: [`venue_a:SIM${code}{conference}{division}-${token}-{code}`],
      wins: {
        lines: league.win_lines.map(Math.ceil),
        members: [`venue_a:SIM${code}WINS-${token}-{code}-{line}`],
      },
    },
    teams: league.teams.map((team) => ({
      code: team.code,
      fields: {
        team: `${team.city} ${team.name}`,
        conference: team.conference.toUpperCase(),
        division: team.division.toUpperCase(),
      },
      also: { championship: [find.polymarket(`SIM${code}-${token}-${team.code}`)] },
    })),
  };
  return { name: `sim-${code}-${token}`, definition };
}
