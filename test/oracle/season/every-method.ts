import { type IndexDefinition, indexDefinition } from '../../../src/model/definitions/index-definition.ts';
import { type RateDefinition, rateDefinition } from '../../../src/model/definitions/rate-definition.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../../src/model/time.ts';
import type { Instant } from '../../../src/model/units.ts';

/** Where and when the methods are to be tried. */
export interface Stage {
  /** Before every ticker. */
  prefix: string;
  /** At least six markets of one venue. */
  markets: readonly string[];
  base_at: Instant;
  until: Instant;
  interval_minutes: number;
  /** When markets settle, as far as that is to matter. */
  settlements?: ReadonlyMap<string, Instant>;
}

/** Definitions of each methodology with each of its options, over any six markets or more. */
export interface EveryMethod {
  indices: IndexDefinition[];
  rates: RateDefinition[];
  /** What becomes of some of the indices, and when it counts. */
  changed: { indices: IndexDefinition[]; takes_effect_at: Instant };
}

const SEATS = ['championship', 'conference', 'conference', 'division'];

export function everyMethod(stage: Stage): EveryMethod {
  const { prefix, markets, base_at, until } = stage;
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = markets;
  /** An instant on the grid, so many parts of the whole after the base. */
  const at = (part: number) =>
    formatInstant(Math.round((base_at + part * (until - base_at)) / HOUR_MS) * HOUR_MS);
  const common = (ticker: string) => ({
    ticker: `${prefix}${ticker}`,
    name: ticker,
    visibility: 'public',
    interval_minutes: stage.interval_minutes,
  });
  const index = (ticker: string, rest: object) =>
    indexDefinition.parse({ ...common(ticker), base_at: at(0), quote_convention: 'points', ...rest });
  const rate = (ticker: string, methodology: string, sources: readonly object[], rest = {}) =>
    rateDefinition.parse({ ...common(ticker), start_at: at(0), methodology, sources, ...rest });
  const named = (ids: readonly string[], rest: (id: string, i: number) => object = () => ({})) =>
    ids.map((market_id, i) => ({ market_id, ...rest(market_id, i) }));
  const basket = (ticker: string, weighting: object, constituents: readonly object[], rest = {}) =>
    index(ticker, { methodology: 'basket', weighting, constituents, ...rest });
  const gauge = (ticker: string, weighting: object, constituents: readonly object[], rest = {}) =>
    index(ticker, {
      methodology: 'gauge',
      quote_convention: 'probability',
      weighting,
      constituents,
      ...rest,
    });
  const team = (ticker: string, constituents: readonly object[], rest = {}) =>
    index(ticker, { methodology: 'nti', constituents, ...rest });

  const votes = named(markets, (_id, i) => ({
    attributes: { votes: 3 + 7 * i },
    groups: { half: i < 3 ? 'one' : 'two' },
  }));
  const weighed = (ids: readonly string[]) => named(ids, (_id, i) => ({ weight: 1 + i }));
  const seats = named([a, b, c, d], (_id, i) => ({ seat: SEATS[i] }));
  const ladder = named([e, f], (_id, i) => ({ seat: 'wins', line: 40 + 5 * i }));
  const byRates = [
    ...named([f]),
    ...['ONE', 'BYVOLUME', 'WINS45', 'BLEND'].map((name) => ({ rate: `${prefix}${name}` })),
  ];
  const everyday = { every: 'week', day: 2, time: '09:00' };
  const attribute = { scheme: 'attribute', attribute: 'votes' };
  const turns = [a, b, c].map((market_id, i) => ({
    market_id,
    ...(i < 2 ? { roll_at: at((i + 1) / 3) } : {}),
  }));

  const indices = [
    basket('BYVOLUME', { scheme: 'volume', rebalances: everyday }, named(markets)),
    basket('BYVOLUME.CAP', { scheme: 'volume', cap: 0.3, rebalances: everyday }, named(markets)),
    basket('BYINTEREST', { scheme: 'liquidity' }, named(markets)),
    basket('BYINTEREST.CAP', { scheme: 'liquidity', cap: 0.25, rebalances: everyday }, named(markets)),
    basket('BYVOTES', attribute, votes, { group_by: 'half' }),
    basket('BYVOTES.CAP', { ...attribute, cap: 0.2 }, votes, { group_by: 'half' }),
    basket('CAPPED', { scheme: 'fixed', cap: 0.4 }, weighed([a, b, c])),
    basket('WEEKLY', { scheme: 'equal', rebalances: everyday }, named(markets)),
    basket(
      'MONTHLY',
      { scheme: 'fixed', rebalances: { every: 'month', day: 6, time: '02:30' } },
      weighed(markets),
    ),
    basket(
      'QUARTERLY',
      { scheme: 'equal', rebalances: { every: 'quarter', day: 3, time: '10:00' } },
      named(markets),
    ),
    basket('QUANTITIES', { scheme: 'fixed', by: 'quantity' }, weighed([d, e, f])),
    basket('CHANGED', { scheme: 'fixed' }, weighed([a, b, c])),
    gauge('VOTES.G', attribute, votes, { group_by: 'half' }),
    gauge('VOTES.CAP.G', { ...attribute, cap: 0.25 }, votes, { quote_convention: 'centred' }),
    gauge('CHANGED.G', { scheme: 'fixed' }, weighed([a, b, c])),
    basket('RATES', { scheme: 'equal' }, byRates),
    gauge('RATES.G', { scheme: 'equal' }, byRates),
    index('BOTH', {
      methodology: 'composite',
      weighting: { categories: { one: 3, two: 1 }, cap: 0.6 },
      constituents: [
        { index: `${prefix}BYVOTES`, category: 'one' },
        { index: `${prefix}WEEKLY`, category: 'two' },
        { index: `${prefix}CAPPED`, category: 'two', weight: 2 },
      ],
    }),
    // The names of the gauges come late, and one of them changes.
    index('GAUGES', {
      methodology: 'composite',
      weighting: { categories: { one: 2, two: 1 }, rebalances: everyday },
      constituents: [
        { index: `${prefix}CHANGED.G`, category: 'one' },
        { index: `${prefix}VOTES.CAP.G`, category: 'one' },
        { index: `${prefix}BYVOTES`, category: 'two' },
      ],
    }),
    ...['CHANGED', 'WEEKLY', 'GAUGES'].map((base) =>
      index(`${base}.TR`, { methodology: 'total_return', base_index_id: `${prefix}${base}` }),
    ),
    team('TEAM', [...seats, ...ladder]),
    team('TEAM.K', [...seats, ...ladder]),
    team('LIVE', [...seats, ...ladder], { reconstitutes_at: [at(0.3), at(0.7)] }),
    team('HISTORY', [...seats, ...ladder], { series: 'historical', reconstitutes_at: [at(0.3), at(0.7)] }),
    team('GAMES', [...seats.slice(0, 3), ...named([d, e, f], () => ({ seat: 'next_game' }))], {
      fourth_seat: 'next_game',
    }),
    team('SPANS', [
      ...seats.map((each, i) => ({ ...each, ...(i === 1 ? { active_until: at(0.4) } : {}) })),
      ...ladder.map((each, i) => ({ ...each, ...(i === 1 ? { active_from: at(0.2) } : {}) })),
    ]),
    team('CHANGED.T', [...seats, ...ladder]),
    // What opens at the level of a .K index begins after it.
    team('LATER.K', [...seats, ...ladder]),
    team('LATER', [...seats, ...ladder], { base_at: at(0.25) }),
  ];
  const three = named([a, b, c]);
  const rates = [
    rate('ONE', 'event_contract', named([a])),
    rate('MEAN', 'simple_average', three),
    rate('GATED', 'simple_average', named([a, b, c, d, e]), {
      outlier_gate: { limit_cents: 10, drop: true },
    }),
    rate(
      'BYVOLUME',
      'volume_weighted',
      named([a, b, c], (_id, i) => ({ weight: 1 + i })),
    ),
    rate('CLAIM', 'claim_price', three, { claim: 'One claim' }),
    rate('SLEEVE', 'team_sleeve', three, { team: 'T', seat: 'division' }),
    rate('MEDIAN', 'robust_median', three, { least_trades: 2 }),
    rate('BLEND', 'rolling', turns, {
      roll: { kind: 'linear_blend', days: (until - base_at) / 5 / DAY_MS },
    }),
    rate('STEP', 'rolling', turns, { roll: { kind: 'step_change' } }),
    ...[40, 45, 50].map((line) =>
      rate(
        `WINS${line}`,
        'win_total',
        [
          { market_id: a, line: 40 },
          { market_id: b, line: 45 },
          { market_id: c, line: 45, side: 'no' },
          { market_id: d, line: 50 },
        ],
        { team: 'T', line },
      ),
    ),
  ];
  const later = { effective_at: at(0.4) };
  return {
    indices,
    rates,
    changed: {
      indices: [
        basket('CHANGED', { scheme: 'fixed' }, weighed([b, c, d, e]), later),
        gauge('CHANGED.G', { scheme: 'fixed' }, weighed([b, c, d, e]), later),
        team('CHANGED.T', [...seats.filter((_each, i) => i !== 2), ...ladder.slice(0, 1)], later),
      ],
      takes_effect_at: Date.parse(at(0.4)),
    },
  };
}
