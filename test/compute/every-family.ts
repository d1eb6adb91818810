import fc from 'fast-check';
import { type IndexDefinition, indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { type RateDefinition, rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { define, hour, idOf, START } from '../methodology/contracts.ts';
import { defineRate, recordedWorld, type Seen } from './recorded-world.ts';

const named = { name: 'Test', visibility: 'public', interval_minutes: 60 };
const first = new Date(START).toISOString();
const points = { ...named, base_at: first, quote_convention: 'points' };
const SEATS = { A: 'championship', B: 'conference', C: 'division' };
const LINES = { D: 40, E: 45, F: 50 };

const indices: IndexDefinition[] = [
  define({ A: 3, B: 2, C: 1 }, { ticker: 'BASKET' }),
  define(['A', 'B', 'C', 'D', 'E', 'F'], { ticker: 'EQUAL' }),
  define({ A: 3, E: 2, F: 2 }, { ticker: 'QUANTITY', by: 'quantity' }),
  define({ A: 3, B: 2, C: 1 }, { ticker: 'GAUGE', family: 'centred' }),
  indexDefinition.parse({
    ...points,
    ticker: 'BOTH',
    methodology: 'composite',
    base_level: 1000,
    weighting: { categories: { one: 2, two: 1 } },
    constituents: [
      { index: 'BASKET', category: 'one' },
      { index: 'EQUAL', category: 'two' },
      { index: 'GAUGE', category: 'two' },
    ],
  }),
  indexDefinition.parse({
    ...points,
    ticker: 'BOTH.TR',
    methodology: 'total_return',
    base_level: 1000,
    base_index_id: 'BOTH',
  }),
  indexDefinition.parse({
    ...points,
    ticker: 'RETURN',
    methodology: 'total_return',
    base_level: 1000,
    base_index_id: 'BASKET',
    settlement_cash: 'reinvested_pro_rata',
  }),
  indexDefinition.parse({
    ...points,
    ticker: 'TEAM.26',
    methodology: 'nti',
    constituents: [
      ...Object.entries(SEATS).map(([name, seat]) => ({ market_id: idOf(name), seat })),
      ...Object.entries(LINES).map(([name, line]) => ({ market_id: idOf(name), seat: 'wins', line })),
    ],
  }),
];

const rates: RateDefinition[] = [
  defineRate('ONE', 'event_contract', ['A']),
  defineRate('MEAN', 'simple_average', ['A', 'B', 'C', 'D']),
  defineRate('MEDIAN', 'robust_median', ['A', 'B']),
  rateDefinition.parse({
    ...defineRate('GATED', 'simple_average', ['A', 'B', 'C', 'D']),
    outlier_gate: { limit_cents: 30, drop: true },
  }),
  rateDefinition.parse({
    ...named,
    ticker: 'ROLL',
    start_at: first,
    methodology: 'rolling',
    roll: { kind: 'linear_blend', days: 1 },
    sources: ['A', 'B', 'C'].map((name, i) => ({
      market_id: idOf(name),
      ...(i < 2 ? { roll_at: new Date(hour(4 + 24 * i)).toISOString() } : {}),
    })),
  }),
  rateDefinition.parse({
    ...named,
    ticker: 'WINS',
    start_at: first,
    methodology: 'win_total',
    line: 45,
    team: 'TEAM',
    sources: Object.entries(LINES).map(([name, line]) => ({ market_id: idOf(name), line })),
  }),
];

/** An index of each family and rates of most, over six markets. */
export const EVERY_FAMILY = { indices, rates };

/** Thirty hours of six markets, A to F. */
export const sixMarkets: fc.Arbitrary<Seen[]> = fc
  .tuple(recordedWorld, recordedWorld)
  .map(([one, other]) => [...one, ...other.map(renamed)]);

/** The markets of a first world together with those of a second. */
function renamed(seen: Seen): Seen {
  return { ...seen, name: { A: 'D', B: 'E', C: 'F' }[seen.name] ?? seen.name };
}
