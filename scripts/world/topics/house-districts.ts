import { hashText, normal } from '../truth/random.ts';
import { ladder } from './ladder.ts';
import type { Scope, Topic, WorldEvent } from './topic.ts';
import { STATES, type State } from './us-states.ts';

const MARGINS = [0, 2, 4, 6, 8, 10, 15, 20] as const;

const SERIES = {
  ticker: 'SIMHOUSE28',
  title: '2028 House races by district (simulated)',
  category: 'Politics',
  tags: ['US Elections', 'House'],
  frequency: 'one-off',
  source: 'state election authorities',
};

/** The 435 House races of 2028, with margin ladders; how many are listed depends on the size of the world. */
export const houseDistricts: Topic = {
  name: 'house-districts',
  list(scope) {
    const districts = STATES.filter(({ code }) => code !== 'DC').flatMap((state) =>
      Array.from({ length: state.electoral_votes - 2 }, (_, i) => ({ state, number: i + 1 })),
    );
    const count = Math.max(0, Math.floor(scope.markets / MARGINS.length));
    // Spread over the country: every state's first district comes before any second one.
    districts.sort((a, b) => a.number - b.number);
    return districts.slice(0, count).map(({ state, number }) => listDistrict(state, number, scope));
  },
};

function listDistrict(state: State, number: number, { epoch }: Scope): WorldEvent {
  const district = `${state.code}${String(number).padStart(2, '0')}`;
  const event_ticker = `SIMHOUSE28-${district}`;
  const name = `${state.name} district ${number}`;
  return ladder({
    event_ticker,
    lines: MARGINS,
    mean: state.lean * 0.5 + 14 * normal(hashText(0, event_ticker)),
    loadings: [
      { factor: 'us-national', daily_sd: 0.24 },
      { factor: `us-region-${state.region}`, daily_sd: 0.08 },
      { factor: `us-district-${district}`, daily_sd: 0.15 },
    ],
    residual_sd: 2,
    listed_at: epoch,
    known_at: Date.UTC(2028, 10, 9, 15),
    interest: 0.12,
    series: SERIES,
    title: `By how much will Democrats win ${name} in 2028?`,
    sub_title: 'House of Representatives',
    tickerOf: (margin) => `D${margin}`,
    textOf: (margin) => ({
      title: `Will Democrats win ${name} by more than ${margin} points in 2028?`,
      yes_sub_title: margin === 0 ? 'Democrats win' : `Democrats by more than ${margin}`,
      rules: `If the nominee of the Democratic party wins ${name} in the 2028 House election by more than ${margin} percentage points, then the market resolves to Yes.`,
    }),
  });
}
