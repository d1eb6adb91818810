import { CENTRAL_BANKS, DECISIONS, meetingTicker } from '../topics/central-banks.ts';
import { LEAGUES, strongestFirst } from '../topics/league-teams.ts';
import { STATES } from '../topics/us-states.ts';
import type { MarketFinder } from './market-finder.ts';
import { listPooledRates } from './pooled-rates.ts';
import { HOURLY, heading, type RateDefinition, START } from './rate-definition.ts';

/** The states whose race has a rate: of both venues, or of the first alone. */
const OF_BOTH = ['AZ', 'GA', 'MI', 'NC', 'NV', 'PA', 'WI'];
const OF_ONE = ['FL', 'OH', 'TX'];

/** Decisions whose rates are published, by bank and day of the meeting. */
const DECISION_RATES: [bank: string, meeting: string, codes: string[]][] = [
  ['FED', '2026-10-28', ['H0']],
  ['FED', '2026-12-09', ['C50', 'C25', 'H0', 'H25']],
  ['FED', '2027-01-27', ['C25', 'H0']],
  ['ECB', '2026-12-17', ['C25', 'H0']],
  ['ECB', '2027-02-04', ['C25', 'H0']],
  ['BOE', '2026-11-05', ['C25', 'H0']],
  ['BOE', '2026-12-17', ['C25', 'H0']],
];

const WORDS: Record<string, string> = { C50: 'CUT50', C25: 'CUT25', H0: 'HOLD', H25: 'HIKE' };

/** The demo's reference rates over the simulated world. */
export function listRateDefinitions(find: MarketFinder): RateDefinition[] {
  const one = (ticker: string, name: string, market: string, start_at = START): RateDefinition =>
    rate(ticker, name, [find.kalshi(market)], start_at);
  const two = (ticker: string, name: string, market: string, start_at = START): RateDefinition =>
    rate(ticker, name, [find.kalshi(market), find.polymarket(market)], start_at);
  return [
    ...DECISION_RATES.flatMap(([bank, meeting, codes]) => listDecisionRates(bank, meeting, codes, two)),
    ...STATES.filter(({ code }) => [...OF_BOTH, ...OF_ONE].includes(code)).map(({ code, name }) =>
      (OF_ONE.includes(code) ? one : two)(
        `SIM.PRES28.${code}.D`,
        `Democrats carry ${name} in 2028`,
        `SIMPRES28-${code}-D`,
      ),
    ),
    ...LEAGUES.flatMap((league) =>
      strongestFirst(league)
        .slice(0, league.code === 'CBL' ? 5 : 3)
        .map((team) =>
          two(
            `SIM.${league.code}.${league.token}.${team.code}`,
            `${team.city} ${team.name} win the ${league.season} ${league.name}`,
            `SIM${league.code}-${league.token}-${team.code}`,
          ),
        ),
    ),
    two(
      'SIM.BTC.2026-12.100K',
      'Bitcoin above $100,000 at the end of 2026',
      'SIMBTCM-26DEC31-T100000',
      '2026-09-14T00:00:00Z',
    ),
    two(
      'SIM.BTC.2026-12.120K',
      'Bitcoin above $120,000 at the end of 2026',
      'SIMBTCM-26DEC31-T120000',
      '2026-09-14T00:00:00Z',
    ),
    two(
      'SIM.ETH.2026-12.4K',
      'Ethereum above $4,000 at the end of 2026',
      'SIMETHM-26DEC31-T4000',
      '2026-09-14T00:00:00Z',
    ),
    two('SIM.CPI.2026-10.3', 'Inflation above 3% in October 2026', 'SIMCPI-26OCT-T3'),
    two(
      'SIM.CPI.2026-11.3',
      'Inflation above 3% in November 2026',
      'SIMCPI-26NOV-T3',
      '2026-07-27T00:00:00Z',
    ),
    one('SIM.WARM.2026.NYC', 'New York at least 1.5 degrees warmer than usual in 2026', 'SIMWARM-26-NYC-15'),
    one('SIM.BOX.EMBR', 'Ember Crossing opens above $88 million', 'SIMBOX-EMBR-88', '2026-10-12T00:00:00Z'),
    ...listPooledRates(find),
  ];
}

function listDecisionRates(
  code: string,
  meeting: string,
  decisions: string[],
  define: (ticker: string, name: string, market: string) => RateDefinition,
): RateDefinition[] {
  const bank = CENTRAL_BANKS.find((known) => known.code === code);
  if (bank === undefined) return [];
  return DECISIONS.filter((decision) => decisions.includes(decision.code)).map((decision) =>
    define(
      `SIM.${code}.${meeting.slice(0, 7)}.${WORDS[decision.code]}`,
      `${bank.name} ${meeting.slice(0, 7)}: ${decision.words.toLowerCase()}`,
      `${meetingTicker(bank, meeting)}-${decision.code}`,
    ),
  );
}

function rate(ticker: string, name: string, markets: string[], start_at: string): RateDefinition {
  const [methodology, description] =
    markets.length > 1
      ? ([
          'simple_average',
          'Simple average of the marks of the same outcome at two simulated venues.',
        ] as const)
      : (['event_contract', 'Mark of one simulated contract.'] as const);
  return {
    ...heading(ticker, name, description),
    methodology,
    ...HOURLY,
    start_at,
    sources: markets.map((market_id) => ({ market_id, weight: 1 })),
  };
}
