import fc from 'fast-check';
import { type IndexDefinition, indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { type RateDefinition, rateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { formatInstant } from '../../src/model/time.ts';
import { index, rate } from '../helpers/hand-definitions.ts';
import { define, hour, idOf, START } from '../methodology/contracts.ts';
import { defineRate, recordedWorld, type Seen } from './recorded-world.ts';

const base_at = formatInstant(START);
const start_at = base_at;
const SEATS = { A: 'championship', B: 'conference', C: 'division' };
const LINES = { D: 40, E: 45, F: 50 };

const indices: IndexDefinition[] = [
  define({ A: 3, B: 2, C: 1 }, { ticker: 'BASKET' }),
  define(['A', 'B', 'C', 'D', 'E', 'F'], { ticker: 'EQUAL' }),
  define({ A: 3, E: 2, F: 2 }, { ticker: 'QUANTITY', by: 'quantity' }),
  define({ A: 3, B: 2, C: 1 }, { ticker: 'GAUGE', family: 'centred' }),
  ...[
    index('BOTH', 'composite', {
      base_at,
      weighting: { categories: { one: 2, two: 1 } },
      constituents: [
        { index: 'BASKET', category: 'one' },
        { index: 'EQUAL', category: 'two' },
        { index: 'GAUGE', category: 'two' },
      ],
    }),
    index('BOTH.TR', 'total_return', { base_at, base_index_id: 'BOTH' }),
    index('RETURN', 'total_return', {
      base_at,
      base_index_id: 'BASKET',
      settlement_cash: 'reinvested_pro_rata',
    }),
    index('TEAM.26', 'nti', {
      base_at,
      constituents: [
        ...Object.entries(SEATS).map(([name, seat]) => ({ market_id: idOf(name), seat })),
        ...Object.entries(LINES).map(([name, line]) => ({ market_id: idOf(name), seat: 'wins', line })),
      ],
    }),
  ].map((each) => indexDefinition.parse(each)),
];

const rates: RateDefinition[] = [
  defineRate('ONE', 'event_contract', ['A']),
  defineRate('MEAN', 'simple_average', ['A', 'B', 'C', 'D']),
  defineRate('MEDIAN', 'robust_median', ['A', 'B']),
  rateDefinition.parse({
    ...defineRate('GATED', 'simple_average', ['A', 'B', 'C', 'D']),
    outlier_gate: { limit_cents: 30, drop: true },
  }),
  ...[
    rate('ROLL', [], {
      start_at,
      methodology: 'rolling',
      roll: { kind: 'linear_blend', days: 1 },
      sources: ['A', 'B', 'C'].map((name, i) => ({
        market_id: idOf(name),
        ...(i < 2 ? { roll_at: formatInstant(hour(4 + 24 * i)) } : {}),
      })),
    }),
    rate('WINS', [], {
      start_at,
      methodology: 'win_total',
      line: 45,
      team: 'TEAM',
      sources: Object.entries(LINES).map(([name, line]) => ({ market_id: idOf(name), line })),
    }),
  ].map((each) => rateDefinition.parse(each)),
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
