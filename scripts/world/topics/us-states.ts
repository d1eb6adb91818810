import type { TruthEvent } from '../truth/events.ts';
import { simulated, slugOf, type Topic, type WorldEvent } from './topic.ts';

/** A state (or the District) with its electoral votes, region and the margin the world starts from. */
export interface State {
  code: string;
  name: string;
  electoral_votes: number;
  region: 'northeast' | 'south' | 'midwest' | 'west';
  /** Democratic minus Republican share, in points. */
  lean: number;
}

const ROWS = `AL Alabama 9 south -27|AK Alaska 3 west -12|AZ Arizona 11 west -3|AR Arkansas 6 south -28
CA California 54 west 24|CO Colorado 10 west 12|CT Connecticut 7 northeast 16|DE Delaware 3 northeast 16
DC District of Columbia 3 northeast 84|FL Florida 30 south -10|GA Georgia 16 south -1.5|HI Hawaii 4 west 26
ID Idaho 4 west -34|IL Illinois 19 midwest 13|IN Indiana 11 midwest -17|IA Iowa 6 midwest -10
KS Kansas 6 midwest -14|KY Kentucky 8 south -28|LA Louisiana 8 south -20|ME Maine 4 northeast 9
MD Maryland 10 northeast 31|MA Massachusetts 11 northeast 28|MI Michigan 15 midwest 1|MN Minnesota 10 midwest 5
MS Mississippi 6 south -19|MO Missouri 10 midwest -17|MT Montana 4 west -18|NE Nebraska 5 midwest -19
NV Nevada 6 west -0.5|NH New Hampshire 4 northeast 5|NJ New Jersey 14 northeast 9|NM New Mexico 5 west 8
NY New York 28 northeast 17|NC North Carolina 16 south -2|ND North Dakota 3 midwest -34|OH Ohio 17 midwest -9
OK Oklahoma 7 south -33|OR Oregon 8 west 15|PA Pennsylvania 19 northeast 0.5|RI Rhode Island 4 northeast 17
SC South Carolina 9 south -15|SD South Dakota 3 midwest -28|TN Tennessee 11 south -27|TX Texas 40 south -9
UT Utah 6 west -20|VT Vermont 3 northeast 33|VA Virginia 13 south 7|WA Washington 12 west 19
WV West Virginia 4 south -40|WI Wisconsin 10 midwest 0|WY Wyoming 3 west -44`;

/** The fifty states and the District of Columbia; 538 electoral votes. */
export const STATES: State[] = ROWS.split(/[|\n]/).map((row) => {
  const match = /^(\w\w) (.+) (\d+) (\w+) (\S+)$/.exec(row);
  const [, code = '', name = '', votes = '', region = 'west', lean = ''] = match ?? [];
  return {
    code,
    name,
    electoral_votes: Number(votes),
    region: region as State['region'],
    lean: Number(lean),
  };
});

/** States that Polymarket lists too. */
export const TWO_VENUE_STATES = new Set(
  'AZ CA CO FL GA IL IA ME MI MN NV NH NM NY NC OH PA TX VA WI'.split(' '),
);

const SERIES = {
  ticker: 'SIMPRES28',
  title: '2028 presidential election by state (simulated)',
  category: 'Politics',
  tags: ['US Elections', 'State'],
  frequency: 'one-off',
  source: 'state election authorities',
};

const PARTIES = [
  { code: 'D', name: 'Democratic', noun: 'Democrats' },
  { code: 'R', name: 'Republican', noun: 'Republicans' },
] as const;

/** The 2028 presidential race, state by state, moved by one national swing, four regions and each state alone. */
export const usStates: Topic = {
  name: 'us-states',
  list: ({ epoch }) => STATES.map((state) => listState(state, epoch)),
};

function listState(state: State, epoch: number): WorldEvent {
  const event_ticker = `SIMPRES28-${state.code}`;
  const slug = `sim-${slugOf(state.name)}-presidential-election-winner-2028`;
  const truth: TruthEvent = {
    key: event_ticker,
    law: {
      kind: 'scalar',
      mean: state.lean,
      loadings: [
        { factor: 'us-national', daily_sd: 0.24 },
        { factor: `us-region-${state.region}`, daily_sd: 0.1 },
        { factor: `us-state-${state.code}`, daily_sd: 0.12 },
      ],
      residual_sd: 1.5,
      bands: [{ low: 0 }, { high: 0 }],
    },
    listed_at: epoch,
    known_at: Date.UTC(2028, 10, 8, 15),
    interest: Math.abs(state.lean) < 6 ? 0.95 : Math.abs(state.lean) < 15 ? 0.6 : 0.35,
    voidable: false,
  };
  return {
    truth,
    kalshi: {
      series: SERIES,
      event_ticker,
      title: `Which party will win the 2028 presidential election in ${state.name}?`,
      sub_title: `${state.electoral_votes} electoral votes`,
      mutually_exclusive: true,
      grid: 'linear_cent',
      markets: PARTIES.map((party, outcome) => ({
        outcome,
        ticker: `${event_ticker}-${party.code}`,
        text: () => ({
          title: `Will ${party.noun} win ${state.name} in the 2028 presidential election?`,
          yes_sub_title: `${party.name} party`,
          rules: simulated(
            `If the nominee of the ${party.name} party wins the popular vote of ${state.name} in the 2028 presidential election, then the market resolves to Yes.`,
          ),
          strike_type: 'structured',
        }),
      })),
    },
    ...(TWO_VENUE_STATES.has(state.code)
      ? {
          polymarket: {
            slug,
            title: `${state.name} Presidential Election Winner 2028`,
            description: simulated(
              `This market will resolve according to the party whose candidate carries ${state.name} on November 7, 2028, as called by the major news desks.`,
            ),
            tags: ['politics', 'us-election', '2028'],
            tick: 10,
            neg_risk: true,
            markets: PARTIES.map((party, outcome) => ({
              outcome,
              slug: `${slug}-${slugOf(party.noun)}`,
              question: `Will the ${party.noun} carry ${state.name} in 2028?`,
              group_item_title: party.noun,
            })),
          },
        }
      : {}),
  };
}
