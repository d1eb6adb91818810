import type { MarketFinder } from './market-finder.ts';
import { CENTRAL_BANKS, meetingTicker } from './topics/central-banks.ts';
import { LEAGUES, type League, type Team } from './topics/league-teams.ts';
import { STATES, type State, TWO_VENUE_STATES } from './topics/us-states.ts';
import { WARMTH_CODES } from './topics/weather.ts';

/** A member of an index as its definition writes it. */
export interface ConstituentDefinition {
  market_id: string;
  weight?: number;
  groups?: Record<string, string>;
  status?: 'included' | 'staged';
}

/** An index as its definition file writes it, keys in the order of the file. */
export interface IndexDefinition {
  $schema: string;
  ticker: string;
  name: string;
  description: string;
  methodology: 'basket' | 'gauge';
  quote_convention: 'points' | 'probability' | 'centred';
  visibility: 'public' | 'organization';
  organization?: string;
  base_at: string;
  base_level?: number;
  interval_minutes: number;
  weighting: { scheme: 'fixed' | 'equal'; by?: 'value' | 'quantity' };
  group_by?: string;
  book_check?: { max_spread_cents: number; max_quote_age_hours: number };
  constituents: ConstituentDefinition[];
}

const BASE = '2026-07-06T00:00:00Z';
const AUTUMN = '2026-09-14T00:00:00Z';
const SWING = ['AZ', 'GA', 'MI', 'NC', 'NV', 'PA', 'WI'];

type Head = Pick<IndexDefinition, 'ticker' | 'name' | 'description'>;

function basket(
  head: Head,
  constituents: ConstituentDefinition[],
  by: 'value' | 'quantity',
): IndexDefinition {
  const scheme = constituents.some(({ weight }) => weight !== undefined) ? 'fixed' : 'equal';
  return {
    $schema: '../../schemas/index-definition.schema.json',
    ticker: head.ticker,
    name: `${head.name} (simulated)`,
    description: head.description,
    methodology: 'basket',
    quote_convention: 'points',
    visibility: 'public',
    base_at: BASE,
    base_level: 1000,
    interval_minutes: 60,
    weighting: { scheme, by },
    constituents,
  };
}

function gauge(
  head: Head,
  constituents: ConstituentDefinition[],
  quote_convention: 'probability' | 'centred' = 'probability',
): IndexDefinition {
  const scheme = constituents.some(({ weight }) => weight !== undefined) ? 'fixed' : 'equal';
  return {
    $schema: '../../schemas/index-definition.schema.json',
    ticker: head.ticker,
    name: `${head.name} (simulated)`,
    description: head.description,
    methodology: 'gauge',
    quote_convention,
    visibility: 'public',
    base_at: BASE,
    interval_minutes: 60,
    weighting: { scheme },
    constituents,
  };
}

/** Sets keys of a definition without disturbing the order in which the file has them. */
function withKeys(definition: IndexDefinition, keys: Partial<IndexDefinition>): IndexDefinition {
  const { weighting, constituents, ...head } = definition;
  const { group_by, book_check, ...rest } = keys;
  return {
    ...head,
    ...rest,
    weighting,
    ...(group_by === undefined ? {} : { group_by }),
    ...(book_check === undefined ? {} : { book_check }),
    constituents,
  };
}

/** The demo's indices over the simulated world. */
export function listIndexDefinitions(find: MarketFinder): IndexDefinition[] {
  return [
    ...listElectionIndices(find),
    ...listRateIndices(find),
    ...LEAGUES.flatMap((league) => listLeagueIndices(league, find)),
    ...listOtherIndices(find),
  ];
}

function listElectionIndices(find: MarketFinder): IndexDefinition[] {
  const seats = (states: State[], party: 'D' | 'R' = 'D'): ConstituentDefinition[] =>
    states.map(({ code, electoral_votes }) => ({
      market_id: find.kalshi(`SIMPRES28-${code}-${party}`),
      weight: electoral_votes,
      groups: { state: code },
    }));
  const swing = STATES.filter(({ code }) => SWING.includes(code));
  const shared = STATES.filter(({ code }) => TWO_VENUE_STATES.has(code));
  const twins = shared.map(({ code, electoral_votes }) => ({
    market_id: find.polymarket(`SIMPRES28-${code}-D`),
    weight: electoral_votes,
    groups: { state: code },
  }));
  const regions = [
    ['northeast', 'SIMUSNORTHEAST', 'Northeast'],
    ['south', 'SIMUSSOUTH', 'South'],
    ['midwest', 'SIMUSMIDWEST', 'Midwest'],
    ['west', 'SIMUSWEST', 'West'],
  ] as const;
  return [
    withKeys(
      basket(
        {
          ticker: 'SIMUSPRES28',
          name: 'US presidential 2028, Democratic electoral basket',
          description: 'Democratic contracts of all states and the District, weighted by electoral votes.',
        },
        seats(STATES),
        'value',
      ),
      { group_by: 'state' },
    ),
    withKeys(
      gauge(
        {
          ticker: 'SIMUSPRES28.G',
          name: 'US presidential 2028, electoral gauge',
          description: 'Share of electoral votes that the contracts expect for the Democratic nominee.',
        },
        seats(STATES),
        'centred',
      ),
      { group_by: 'state' },
    ),
    withKeys(
      basket(
        {
          ticker: 'SIMUSPRES28R',
          name: 'US presidential 2028, Republican electoral basket',
          description: 'Republican contracts of all states and the District, weighted by electoral votes.',
        },
        seats(STATES, 'R'),
        'value',
      ),
      { group_by: 'state' },
    ),
    withKeys(
      gauge(
        {
          ticker: 'SIMSWING28.G',
          name: 'Swing state gauge 2028',
          description: 'Democratic chances in seven close states, weighted by electoral votes.',
        },
        seats(swing),
      ),
      { group_by: 'state', book_check: { max_spread_cents: 10, max_quote_age_hours: 24 } },
    ),
    basket(
      {
        ticker: 'SIMSWING28',
        name: 'Swing state basket 2028',
        description: 'Democratic contracts of seven close states in equal value.',
      },
      swing.map(({ code }) => ({ market_id: find.kalshi(`SIMPRES28-${code}-D`) })),
      'value',
    ),
    ...regions.map(([region, ticker, name]) =>
      withKeys(
        gauge(
          {
            ticker,
            name: `${name} electoral gauge 2028`,
            description: `Democratic chances in the states of the ${name}, weighted by electoral votes.`,
          },
          seats(STATES.filter((state) => state.region === region)),
        ),
        { group_by: 'state' },
      ),
    ),
    withKeys(
      basket(
        {
          ticker: 'SIMUSPRES28B',
          name: 'US presidential 2028, second venue',
          description: 'Democratic contracts of the states that the second venue lists, by electoral votes.',
        },
        twins,
        'value',
      ),
      { group_by: 'state' },
    ),
    withKeys(
      gauge(
        {
          ticker: 'SIMUSTWOVENUE',
          name: 'US presidential 2028, two venues',
          description: 'Democratic chances in twenty states by the contracts of both venues together.',
        },
        [...seats(shared), ...twins],
        'centred',
      ),
      { group_by: 'state' },
    ),
  ];
}

function listRateIndices(find: MarketFinder): IndexDefinition[] {
  const cuts = CENTRAL_BANKS.map((bank) => ({
    bank,
    markets: bank.meetings
      .slice(0, 6)
      .flatMap((meeting) => ['C25', 'C50'].map((code) => `${meetingTicker(bank, meeting)}-${code}`)),
  }));
  return [
    ...cuts.map(({ bank, markets }) =>
      basket(
        {
          ticker: `SIM${bank.code}EASE`,
          name: `${bank.name} easing basket`,
          description: `Cuts at six meetings of the ${bank.name}, one contract of each; past meetings settle out.`,
        },
        markets.map((ticker) => ({ market_id: find.kalshi(ticker), weight: 1 })),
        'quantity',
      ),
    ),
    gauge(
      {
        ticker: 'SIMEASE.G',
        name: 'Global easing gauge',
        description: 'Chance of a cut of 25 basis points at the coming meetings of three central banks.',
      },
      CENTRAL_BANKS.flatMap((bank) =>
        bank.meetings.slice(3, 6).flatMap((meeting) => {
          const ticker = `${meetingTicker(bank, meeting)}-C25`;
          return [{ market_id: find.kalshi(ticker) }, { market_id: find.polymarket(ticker) }];
        }),
      ),
    ),
    gauge(
      {
        ticker: 'SIMHOLD.G',
        name: 'Policy hold gauge',
        description: 'Chance that rates stay unchanged; meetings of June 2027 join when they are listed.',
      },
      CENTRAL_BANKS.flatMap((bank) =>
        bank.meetings.slice(3).map((meeting, i) => ({
          market_id: find.kalshi(`${meetingTicker(bank, meeting)}-H0`),
          ...(i === 4 ? { status: 'staged' as const } : {}),
        })),
      ),
    ),
  ];
}

function listLeagueIndices(league: League, find: MarketFinder): IndexDefinition[] {
  const { code, token } = league;
  const strongest = [...league.teams].sort((a, b) => b.strength - a.strength);
  const conferences = [...new Set(league.teams.map(({ conference }) => conference))];
  const chosen = strongest.slice(0, code === 'CBL' ? 2 : 1);
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
  const lines = league.win_lines.slice(2, 5).map((line) => Math.ceil(line));
  return [
    `SIM${code}-${token}-${team.code}`,
    `SIM${code}${conference}-${token}-${team.code}`,
    `SIM${code}${conference}${team.division.toUpperCase()}-${token}-${team.code}`,
    ...lines.map((line) => `SIM${code}WINS-${token}-${team.code}-${line}`),
  ];
}

function listOtherIndices(find: MarketFinder): IndexDefinition[] {
  const equal = (tickers: string[]) => tickers.map((ticker) => ({ market_id: find.kalshi(ticker) }));
  const months = ['26AUG', '26SEP', '26OCT', '26NOV', '26DEC'];
  return [
    basket(
      {
        ticker: 'SIMHOTCPI',
        name: 'High inflation basket',
        description: 'Inflation above three percent, month after month; prints settle as they are published.',
      },
      equal(months.map((month) => `SIMCPI-${month}-T3`)),
      'value',
    ),
    gauge(
      {
        ticker: 'SIMJOBS.G',
        name: 'Labour market gauge',
        description: 'Chance of unemployment above 4.5 percent in the coming months.',
      },
      equal(['26OCT', '26NOV', '26DEC'].map((month) => `SIMUNEMP-${month}-T4.5`)),
    ),
    basket(
      {
        ticker: 'SIMGASUP',
        name: 'Dear gasoline basket',
        description: 'Gasoline above 3.30 dollars a gallon, month after month.',
      },
      equal(months.map((month) => `SIMGAS-${month}-T3.3`)),
      'value',
    ),
    withKeys(
      basket(
        {
          ticker: 'SIMBTCYEAR',
          name: 'Bitcoin year-end basket',
          description: 'Levels of Bitcoin at the end of December 2026, one contract of each.',
        },
        ['100000', '105000', '110000', '115000', '120000'].map((strike) => ({
          market_id: find.kalshi(`SIMBTCM-26DEC31-T${strike}`),
          weight: 1,
        })),
        'quantity',
      ),
      { base_at: AUTUMN },
    ),
    withKeys(
      gauge(
        {
          ticker: 'SIMCOINS.G',
          name: 'Coin optimism gauge',
          description: 'Four coins above their mid-year price at the end of December 2026.',
        },
        equal([
          'SIMBTCM-26DEC31-T105000',
          'SIMETHM-26DEC31-T4000',
          'SIMSOLM-26DEC31-T180',
          'SIMXRPM-26DEC31-T2.4',
        ]),
      ),
      { base_at: AUTUMN },
    ),
    basket(
      {
        ticker: 'SIMWARM26',
        name: 'Warm cities basket 2026',
        description: 'Ten cities at least one and a half degrees warmer than usual over the year.',
      },
      equal(WARMTH_CODES.map((city) => `SIMWARM-26-${city}-15`)),
      'value',
    ),
    withKeys(
      basket(
        {
          ticker: 'SIMMACRO.ORG',
          name: 'House macro basket',
          description: 'A private basket of inflation, jobs and policy contracts of one organization.',
        },
        [
          { market_id: find.kalshi('SIMCPI-26OCT-T3'), weight: 2 },
          { market_id: find.kalshi('SIMUNEMP-26OCT-T4.5'), weight: 1 },
          { market_id: find.kalshi('SIMFED-26DEC-C25'), weight: 3 },
          { market_id: find.polymarket('SIMECB-26DEC-C25'), weight: 2 },
        ],
        'value',
      ),
      { visibility: 'organization', organization: 'org_demo' },
    ),
  ];
}
