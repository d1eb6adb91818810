import { DAY, dayToken, HOUR, isoDay } from '../calendar.ts';
import type { Loading, TruthEvent } from '../truth/events.ts';
import { hashText } from '../truth/random.ts';
import { ladder } from './ladder.ts';
import { LEAGUES, type League, type Team } from './league-teams.ts';
import {
  isAskedIn,
  type KalshiSeries,
  type Scope,
  simulated,
  slugOf,
  type Topic,
  type WorldEvent,
} from './topic.ts';

const GAME_LEAD = 5 * DAY;

/** Two invented leagues: who wins them, their parts and games, and how many games each team wins. */
export const leagues: Topic = {
  name: 'leagues',
  list: (scope) =>
    LEAGUES.flatMap((league) => [
      ...listTitles(league, scope),
      ...league.teams.map((team) => listWinTotal(league, team, scope)),
      ...listGames(league, scope),
    ]).filter(isAskedIn(scope)),
};

function form(league: League, team: Team): Loading[] {
  return [{ factor: `form-${league.code}-${team.code}`, daily_sd: 0.05 }];
}

function listTitles(league: League, { epoch }: Scope): WorldEvent[] {
  const conferences = [...new Set(league.teams.map(({ conference }) => conference))];
  const divisions = [...new Set(league.teams.map((team) => `${team.conference}|${team.division}`))];
  return [
    listTitle(league, league.teams, '', 'the championship', league.champion_known, epoch),
    ...conferences.map((conference) =>
      listTitle(
        league,
        league.teams.filter((team) => team.conference === conference),
        conference,
        `the ${conference} conference`,
        league.conference_known,
        epoch,
      ),
    ),
    ...divisions.map((key) => {
      const [conference = '', division = ''] = key.split('|');
      return listTitle(
        league,
        league.teams.filter((team) => team.conference === conference && team.division === division),
        `${conference}${division}`,
        `the ${conference} ${division} division`,
        league.division_known,
        epoch,
      );
    }),
  ];
}

// `part` is empty for the championship, a conference, or a conference and division in one word.
function listTitle(league: League, teams: Team[], part: string, words: string, known: string, epoch: number) {
  const event_ticker = `SIM${league.code}${part.toUpperCase()}-${league.token}`;
  const rank = part === '' ? 'champion' : teams.length > 6 ? 'conference' : 'division';
  const slug = `sim-${league.code.toLowerCase()}-champion-${league.season}`;
  const truth: TruthEvent = {
    key: event_ticker,
    law: {
      kind: 'contest',
      rivals: teams.map((team) => ({ mean: team.strength * 0.8, loadings: form(league, team) })),
      residual_sd: 0.25,
    },
    listed_at: epoch,
    known_at: Date.parse(known) + 27 * HOUR,
    interest: rank === 'champion' ? 0.8 : rank === 'conference' ? 0.5 : 0.4,
    voidable: false,
  };
  const event: WorldEvent = {
    truth,
    kalshi: {
      series: {
        ticker: `SIM${league.code}${part.toUpperCase()}`,
        title: `${league.name}: winner of ${words} (simulated)`,
        category: 'Sports',
        tags: [league.sport, league.code, rank],
        frequency: 'annual',
        source: league.name,
      },
      event_ticker,
      title: `Who will win ${words} of the ${league.season} ${league.name}?`,
      sub_title: `${league.season} season`,
      mutually_exclusive: true,
      grid: rank === 'champion' ? 'tapered_deci_cent' : 'linear_cent',
      markets: teams.map((team, outcome) => ({
        outcome,
        ticker: `${event_ticker}-${team.code}`,
        text: () => ({
          title: `Will the ${team.city} ${team.name} win ${words} of the ${league.season} ${league.name}?`,
          yes_sub_title: `${team.city} ${team.name}`,
          rules: simulated(
            `If the ${team.city} ${team.name} win ${words} in the ${league.season} season of the ${league.name}, then the market resolves to Yes.`,
          ),
          strike_type: 'structured',
        }),
      })),
    },
  };
  if (rank !== 'champion') return event;
  return {
    ...event,
    polymarket: {
      slug,
      title: `${league.season} ${league.code} Champion`,
      description: simulated(
        `This market resolves to the team that lifts the ${league.name} trophy at the end of the ${league.season} season.`,
      ),
      tags: ['sports', league.code.toLowerCase()],
      tick: league.champion_tick,
      neg_risk: true,
      markets: teams.map((team, outcome) => ({
        outcome,
        slug: `sim-will-the-${slugOf(`${team.city} ${team.name}`)}-win-the-${league.season}-${league.code.toLowerCase()}-title`,
        question: `Will the ${team.city} ${team.name} win the ${league.season} ${league.code} title?`,
        group_item_title: `${team.city} ${team.name}`,
      })),
    },
  };
}

function listWinTotal(league: League, team: Team, { epoch }: Scope): WorldEvent {
  const event_ticker = `SIM${league.code}WINS-${league.token}-${team.code}`;
  const swing = league.games / 6;
  return ladder({
    event_ticker,
    lines: league.win_lines,
    mean: league.games / 2 + team.strength * swing * 0.55,
    loadings: form(league, team).map(({ factor, daily_sd }) => ({ factor, daily_sd: daily_sd * swing })),
    residual_sd: 0.8,
    listed_at: epoch,
    known_at: Date.parse(league.division_known) + 4 * HOUR,
    interest: 0.3,
    series: {
      ticker: `SIM${league.code}WINS`,
      title: `${league.name} win totals (simulated)`,
      category: 'Sports',
      tags: [league.sport, league.code, 'win totals'],
      frequency: 'annual',
      source: league.name,
    },
    title: `How many games will the ${team.city} ${team.name} win?`,
    sub_title: `${league.season} season`,
    tickerOf: (line) => String(Math.ceil(line)),
    textOf: (line) => ({
      title: `Will the ${team.city} ${team.name} win more than ${line} games in the ${league.season} season?`,
      yes_sub_title: `Over ${line} wins`,
      rules: `If the ${team.city} ${team.name} win more than ${line} games of the ${league.season} ${league.name} season, then the market resolves to Yes.`,
    }),
  });
}

function gameSeries(league: League): KalshiSeries {
  return {
    ticker: `SIM${league.code}GAME`,
    title: `${league.name} games (simulated)`,
    category: 'Sports',
    tags: [league.sport, league.code, 'games'],
    frequency: 'custom',
    source: league.name,
  };
}

function listGames(league: League, scope: Scope): WorldEvent[] {
  const games: WorldEvent[] = [];
  const last = Math.min(Date.parse(league.closes), scope.until + GAME_LEAD);
  for (let day = Date.parse(league.opens); day <= last; day += league.round_days * DAY) {
    // The teams are shuffled anew each day and paired off from the front, so that nobody plays twice.
    const order = league.teams
      .map((team) => ({ team, draw: hashText(0, `${league.code}|${isoDay(day)}|${team.code}`) }))
      .sort((a, b) => a.draw - b.draw);
    for (let i = 0; i < league.round_games; i++) {
      const away = order[2 * i]?.team;
      const home = order[2 * i + 1]?.team;
      if (away !== undefined && home !== undefined) games.push(listGame(league, away, home, day, scope));
    }
  }
  return games;
}

function listGame(league: League, away: Team, home: Team, day: number, { epoch }: Scope): WorldEvent {
  const event_ticker = `SIM${league.code}GAME-${dayToken(day)}${away.code}${home.code}`;
  // Evening games end after midnight UTC.
  const ended = day + 27 * HOUR;
  return {
    truth: {
      key: event_ticker,
      law: {
        kind: 'scalar',
        mean: (home.strength - away.strength) * 5 + 2,
        loadings: [
          ...form(league, home).map(({ factor }) => ({ factor, daily_sd: 0.3 })),
          ...form(league, away).map(({ factor }) => ({ factor, daily_sd: -0.3 })),
          { factor: `game-${event_ticker}`, daily_sd: 1 },
        ],
        residual_sd: 8,
        bands: [{ high: 0 }, { low: 0 }],
      },
      listed_at: Math.max(epoch, day - GAME_LEAD),
      known_at: ended,
      interest: 0.6,
      voidable: true,
    },
    kalshi: {
      series: gameSeries(league),
      event_ticker,
      title: `${away.city} at ${home.city}`,
      sub_title: `${away.code} at ${home.code} (${isoDay(day)})`,
      mutually_exclusive: true,
      grid: 'linear_cent',
      markets: [away, home].map((team, outcome) => ({
        outcome,
        ticker: `${event_ticker}-${team.code}`,
        text: () => ({
          title: `${away.city} at ${home.city} Winner?`,
          yes_sub_title: team.city,
          rules: simulated(
            `If the ${team.city} ${team.name} win the ${league.name} game ${away.city} at ${home.city} of ${isoDay(day)}, then the market resolves to Yes. If the game is cancelled, the market settles at one half.`,
          ),
          strike_type: 'structured',
        }),
      })),
    },
  };
}
