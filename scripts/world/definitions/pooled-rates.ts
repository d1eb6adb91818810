import { CENTRAL_BANKS, meetingTicker } from '../topics/central-banks.ts';
import { LEAGUES, strongestFirst } from '../topics/league-teams.ts';
import type { MarketFinder } from './market-finder.ts';
import { HOURLY, heading, type RateDefinition } from './rate-definition.ts';

/** The demo's rates by volume, robust median, win total and rolling chain. */
export function listPooledRates(find: MarketFinder): RateDefinition[] {
  const both = (market: string) => [
    { market_id: find.kalshi(market) },
    { market_id: find.polymarket(market) },
  ];
  const hold = `${meetingOf('FED', '2026-12-09')}-H0`;
  return [
    {
      ...heading(
        'SIM.FED.2026-12.HOLD.V',
        'Fed 2026-12: no change, by volume',
        'Two venues by lifetime volume.',
      ),
      methodology: 'volume_weighted',
      ...HOURLY,
      sources: both(hold),
    },
    {
      ...heading(
        'SIM.FED.2026-12.HOLD.M',
        'Fed 2026-12: no change, robust median',
        'Twelve parts of an hour.',
      ),
      methodology: 'robust_median',
      ...HOURLY,
      sources: both(hold),
    },
    {
      ...heading(
        'SIM.PRES28.PA',
        'Pennsylvania 2028',
        'One claim at two simulated venues, by lifetime volume.',
      ),
      methodology: 'claim_price',
      claim: 'The Democratic nominee carries Pennsylvania in 2028',
      ...HOURLY,
      sources: both('SIMPRES28-PA-D'),
    },
    ...listSeats(find),
    ...listWinTotals(find),
    ...listChains(find),
  ];
}

function meetingOf(code: string, meeting: string): string {
  const bank = CENTRAL_BANKS.find((known) => known.code === code);
  if (bank === undefined) throw new Error(`the world has no bank ${code}`);
  return meetingTicker(bank, meeting);
}

/** The strongest team of the basketball league. */
function strongest() {
  const league = LEAGUES.find((known) => known.code === 'CBL');
  const [team] = league === undefined ? [] : strongestFirst(league);
  if (league === undefined || team === undefined) throw new Error('the world has no basketball');
  return { league, team, name: `${team.city} ${team.name}` };
}

/** Contents of the title seats of the strongest team's index. */
function listSeats(find: MarketFinder): RateDefinition[] {
  const { league, team, name } = strongest();
  const conference = team.conference.toUpperCase();
  const titles = [
    ['championship', ''],
    ['conference', conference],
    ['division', `${conference}${team.division.toUpperCase()}`],
  ] as const;
  return titles.map(([seat, part]) => {
    const market = `SIM${league.code}${part}-${league.token}-${team.code}`;
    const second = seat === 'championship' ? [{ market_id: find.polymarket(market) }] : [];
    return {
      ...heading(
        `SIM.${league.code}.${league.token}.${team.code}.${seat.toUpperCase()}`,
        `${name}: ${seat}`,
        'What fills a seat of the team index, by lifetime volume.',
      ),
      methodology: 'team_sleeve',
      team: team.code,
      seat,
      ...HOURLY,
      sources: [{ market_id: find.kalshi(market) }, ...second],
    };
  });
}

/** One rate for each line of the strongest team, each over the whole ladder. */
function listWinTotals(find: MarketFinder): RateDefinition[] {
  const { league, team, name } = strongest();
  const ladder = league.win_lines.map(Math.ceil).map((line) => ({
    market_id: find.kalshi(`SIM${league.code}WINS-${league.token}-${team.code}-${line}`),
    line,
  }));
  return ladder.map(({ line }) => ({
    ...heading(
      `SIM.${league.code}.${league.token}.${team.code}.W${line}`,
      `${name} win at least ${line} games`,
      "Chance by the ladder of the team's win totals.",
    ),
    methodology: 'win_total',
    team: team.code,
    line,
    ...HOURLY,
    sources: ladder,
  }));
}

/** Chains over the meetings of two banks, each rolling into the next meeting when one is decided. */
function listChains(find: MarketFinder): RateDefinition[] {
  const chain = (code: string, meetings: string[]) =>
    meetings.map((meeting, i) => ({
      market_id: find.kalshi(`${meetingOf(code, meeting)}-H0`),
      ...(i < meetings.length - 1 ? { roll_at: `${meeting}T00:00:00Z` } : {}),
    }));
  return [
    {
      ...heading(
        'SIM.FED.NEXT.HOLD',
        'Fed next meeting: no change',
        'Blends into the next meeting over a week.',
      ),
      methodology: 'rolling',
      roll: { kind: 'linear_blend', days: 7 },
      ...HOURLY,
      sources: chain('FED', ['2026-10-28', '2026-12-09', '2027-01-27']),
    },
    {
      ...heading('SIM.ECB.NEXT.HOLD', 'ECB next meeting: no change', 'Steps to the next meeting on its day.'),
      methodology: 'rolling',
      roll: { kind: 'step_change' },
      ...HOURLY,
      sources: chain('ECB', ['2026-10-22', '2026-12-17', '2027-02-04']),
    },
  ];
}
