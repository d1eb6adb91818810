/** A team of an invented league. */
export interface Team {
  code: string;
  city: string;
  name: string;
  conference: string;
  division: string;
  /** Strength at the epoch, about standard normal. */
  strength: number;
}

/** An invented league with its calendar. */
export interface League {
  code: string;
  name: string;
  sport: string;
  season: string;
  /** Season as tickers write it. */
  token: string;
  games: number;
  win_lines: number[];
  /** First and last day of the season that has games here. */
  opens: string;
  closes: string;
  /** Days between rounds, and games of a round. */
  round_days: number;
  round_games: number;
  division_known: string;
  conference_known: string;
  champion_known: string;
  /** Tick of the champion's market at Polymarket, in ten-thousandths of a dollar. */
  champion_tick: number;
  teams: Team[];
}

const BASKETBALL = `East Atlantic BOS Boston Harbors 1.3|East Atlantic NYC New York Comets 0.9|East Atlantic PHI Philadelphia Bells 0.1
East Atlantic BKN Brooklyn Bridges -0.6|East Atlantic TOR Toronto Lakes -0.2|East Central CLE Cleveland Forge 1.1
East Central CHI Chicago Gales 0.0|East Central DET Detroit Motors 0.6|East Central MIL Milwaukee Barrels 0.2
East Central IND Indianapolis Racers 0.4|East South ATL Atlanta Embers 0.3|East South MIA Miami Tides 0.2
East South ORL Orlando Sunbirds 0.5|East South CHA Charlotte Crowns -0.8|East South WAS Washington Sentries -1.4
West Northwest DEN Denver Summits 1.0|West Northwest MIN Minneapolis Northmen 0.8|West Northwest OKC Oklahoma City Plains 1.7
West Northwest POR Portland Pines -0.5|West Northwest SLC Salt Lake Canyons -1.2|West Pacific LAX Los Angeles Waves 0.7
West Pacific SFO San Francisco Fogs 0.6|West Pacific SAC Sacramento Rivers -0.3|West Pacific PHX Phoenix Scorch 0.1
West Pacific SEA Seattle Ferries -0.1|West Southwest DAL Dallas Lariats 0.4|West Southwest HOU Houston Orbits 0.9
West Southwest SAN San Antonio Missions 0.3|West Southwest MEM Memphis Deltas -0.2|West Southwest NOL New Orleans Bayous -0.9`;

const FOOTBALL = `North Coast BOS Boston Minutemen 0.8|North Coast NYC New York Gothams 0.2|North Coast BAL Baltimore Clippers 1.1
North Coast PHI Philadelphia Liberty 0.7|North Inland PIT Pittsburgh Furnaces 0.3|North Inland BUF Buffalo Drifts 1.2
North Inland CLE Cleveland Breakers -0.9|North Inland CIN Cincinnati Queens 0.1|South Coast MIA Miami Manatees 0.0
South Coast TAM Tampa Corsairs 0.2|South Coast JAX Jacksonville Herons -1.1|South Coast CHA Charlotte Hornbills -0.7
South Inland ATL Atlanta Phoenixes 0.1|South Inland NSH Nashville Strings -0.4|South Inland DAL Dallas Drovers 0.6
South Inland HOU Houston Derricks 0.4`;

export const LEAGUES: League[] = [
  {
    code: 'CBL',
    name: 'Continental Basketball League',
    sport: 'Basketball',
    season: '2026-27',
    token: '27',
    games: 82,
    win_lines: [20.5, 30.5, 35.5, 40.5, 45.5, 50.5, 55.5],
    opens: '2026-10-20',
    closes: '2027-04-11',
    round_days: 1,
    round_games: 6,
    division_known: '2027-04-12',
    conference_known: '2027-06-01',
    champion_known: '2027-06-20',
    champion_tick: 10,
    teams: readTeams(BASKETBALL),
  },
  {
    code: 'AFL',
    name: 'Atlantic Football League',
    sport: 'Football',
    season: '2026',
    token: '26',
    games: 16,
    win_lines: [4.5, 6.5, 7.5, 8.5, 9.5, 11.5],
    opens: '2026-09-06',
    closes: '2026-12-27',
    round_days: 7,
    round_games: 8,
    division_known: '2026-12-28',
    conference_known: '2027-01-17',
    champion_known: '2027-01-31',
    champion_tick: 25,
    teams: readTeams(FOOTBALL),
  },
];

/** The teams of a league, the strongest first. */
export function strongestFirst({ teams }: League): Team[] {
  return teams.toSorted((a, b) => b.strength - a.strength);
}

function readTeams(rows: string): Team[] {
  return rows.split(/[|\n]/).map((row) => {
    const [conference = '', division = '', code = '', ...rest] = row.split(' ');
    const strength = Number(rest.pop());
    const name = rest.pop() ?? '';
    return { code, city: rest.join(' '), name, conference, division, strength };
  });
}
