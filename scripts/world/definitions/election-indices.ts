import { STATES, type State, TWO_VENUE_STATES } from '../topics/us-states.ts';
import {
  basket,
  type ConstituentDefinition,
  gauge,
  type IndexDefinition,
  withKeys,
} from './index-definition.ts';
import type { MarketFinder } from './market-finder.ts';

const SWING = ['AZ', 'GA', 'MI', 'NC', 'NV', 'PA', 'WI'];

/** Who wins the states: baskets and gauges by electoral votes, over one venue, the other, or both. */
export function listElectionIndices(find: MarketFinder): IndexDefinition[] {
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
