import { afterAll, describe, expect, it } from 'vitest';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import type { DailyStats } from '../../src/methodology/daily-stats.ts';
import type { RateDefinition } from '../../src/model/definitions/rate-definition.ts';
import type { Observation } from '../../src/model/observation.ts';
import { DAY_MS, formatInstant, HOUR_MS } from '../../src/model/time.ts';
import { toCents } from '../../src/model/units.ts';
import type { Tier } from '../../src/routes/route.ts';
import { routes } from '../../src/routes/routes.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { selectRatePrints } from '../../src/store/prints/rate-prints.ts';
import { computeRates } from '../compute/rate-worlds.ts';
import { at, rate } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';
import { A, B, C, defineRate } from '../methodology/rate-families/rates.ts';

const START = Date.parse('2026-10-01T04:00:00Z');
const NOW = START + 30 * DAY_MS;
const from = { start_at: '2026-10-01T04:00:00Z', interval_minutes: 1440 };

const define = (
  ticker: string,
  fields: { methodology: string } & Record<string, unknown>,
): RateDefinition => ({
  ...defineRate({ ...from, ...fields }),
  ticker,
});

const pair = [{ market_id: A }, { market_id: B }];
const rates = [
  define('AVERAGE', { methodology: 'simple_average', sources: pair }),
  define('VOLUME', { methodology: 'volume_weighted', sources: pair }),
  define('MEDIAN', { methodology: 'robust_median', sources: pair }),
  define('SPLIT', { methodology: 'simple_average', sources: [...pair, { market_id: C }], outlier_gate: {} }),
  define('WINS', {
    methodology: 'win_total',
    team: 'OKC',
    line: 50,
    sources: [
      { market_id: A, line: 50 },
      { market_id: B, line: 45 },
      { market_id: C, line: 55 },
    ],
  }),
  define('CHAIN', {
    methodology: 'rolling',
    roll: { kind: 'linear_blend', days: 4 },
    sources: [{ market_id: A, roll_at: '2026-10-16T00:00:00Z' }, { market_id: B }],
  }),
];

/** A daily walk of A, B and C: A falls and rises by two cents, B stands 10 cents above, C 20 below. */
const walk = (offset: number, volume?: number): Observation[] =>
  Array.from({ length: 31 }, (_none, day) => {
    const price = Number((0.5 + offset + (day % 2) / 50).toFixed(2));
    return {
      observed_at: START + day * DAY_MS,
      bid: Number((price - 0.01).toFixed(2)),
      ask: Number((price + 0.01).toFixed(2)),
      ...(volume === undefined ? {} : { volume }),
    };
  });

const store = computeRates(
  rates,
  [
    { market_id: A, series: 'quote', observations: walk(0, 300) },
    { market_id: B, series: 'quote', observations: walk(0.1, 100) },
    { market_id: C, series: 'quote', observations: walk(-0.2) },
  ],
  NOW,
);
afterAll(() => store.close());

/** The parts of an answer that the tests read. */
interface Answer {
  latest_price?: number;
  spread?: number;
  confidence?: { grade: string; effective_sources: number };
  stats?: DailyStats;
  sources: { market_id: string; weight: number; latest_price?: number; volume?: number; outlier?: true }[];
  /** Rows of a list, points of a series. */
  data: (Answer & { ticker: string; at: string })[];
}

function ask(path: string, tier: Tier, id: string, now = NOW): Answer {
  const route = routes.find((each) => each.path === path && each.tiers.includes(tier));
  const sites = { venue_a: 'https://a.example', venue_b_global: 'https://b.example' };
  const query = { page: 1, per_page: 100 };
  return store.read((reader) =>
    JSON.parse(JSON.stringify(route?.answer({ reader, now, tier, id, query, sites }) ?? null)),
  );
}

const detail = (id: string, tier: Tier = 'public', now = NOW) => ask('/rates/{id}', tier, id, now);

describe('source rows', () => {
  it('[2.5.1/1] have as weight by volume their share of the latest print', () => {
    const { sources, latest_price, spread } = detail('VOLUME');
    expect([latest_price, spread]).toEqual([52.5, 10]);
    expect(sources.map((each) => each.weight)).toEqual([0.75, 0.25]);
  });

  it('[2.5.1/3] have the volume with its unit where the print recorded it, and nowhere else', () => {
    expect(detail('VOLUME').sources).toMatchObject([
      { volume: 300, volume_unit: 'contracts' },
      { volume: 100, volume_unit: 'usd' },
    ]);
    for (const source of detail('AVERAGE').sources) expect(source).not.toHaveProperty('volume');
  });

  it('[2.5.1/2] have no price and their catalog weight when the source did not enter', () => {
    const rows = detail('WINS').sources;
    expect(rows).toMatchObject([
      { line: 50, weight: 1, latest_price: 50 },
      { line: 45, weight: 0 },
      { line: 55, weight: 0 },
    ]);
    expect(rows[1]).not.toHaveProperty('latest_price');
  });

  it('[2.5.1/2] of a quiet rate have weights and volumes but no price, and it has no confidence', () => {
    const quiet = detail('VOLUME', 'public', NOW + 7 * DAY_MS + 1);
    expect(quiet).not.toHaveProperty('latest_price');
    expect(quiet).not.toHaveProperty('confidence');
    expect(quiet.sources).toMatchObject([
      { weight: 0.75, volume: 300 },
      { weight: 0.25, volume: 100 },
    ]);
    for (const source of quiet.sources) expect(source).not.toHaveProperty('latest_price');
    expect(detail('VOLUME', 'public', NOW + 7 * DAY_MS)).toHaveProperty('latest_price');
  });

  it('[2.5.1] are flagged as outliers while the rate is not quiet', () => {
    const flags = (now: number) =>
      detail('SPLIT', 'public', now).sources.map((each) => [each.market_id, each.outlier]);
    expect(flags(NOW)).toEqual([
      [A, undefined],
      [B, undefined],
      [C, true],
    ]);
    expect(flags(NOW + 7 * DAY_MS + 1).flatMap(([, outlier]) => outlier ?? [])).toEqual([]);
  });

  it('[2.5.1/1] of a chain tell when they roll, and have the weights of the last print until the next one', () => {
    const weights = (now: string) =>
      detail('CHAIN', 'public', Date.parse(now)).sources.map((each) => each.weight);
    expect(detail('CHAIN').sources[0]).toMatchObject({ roll_at: '2026-10-16T00:00:00Z' });
    expect(detail('CHAIN').sources[1]).not.toHaveProperty('roll_at');
    // The roll begins after the print of the 12th, and ends with that of the 16th.
    expect(weights('2026-10-12T23:59:59Z')).toEqual([1, 0]);
    expect(weights('2026-10-13T00:00:00Z')).toEqual([0.75, 0.25]);
    expect(weights('2026-10-16T00:00:00Z')).toEqual([0, 1]);
  });
});

describe('stats', () => {
  it('[2.5/4] are on the authenticated detail only', () => {
    expect(detail('AVERAGE')).not.toHaveProperty('stats');
    expect(ask('/rates', 'authenticated', '').data[0]).not.toHaveProperty('stats');
    expect(detail('AVERAGE', 'authenticated')).toHaveProperty('stats');
  });

  it('end at the last completed close, with prices and volatility in cents', () => {
    // Prints stand at 20:00 Eastern; the print of NOW, at midnight, belongs to the day that is not over.
    const { stats } = detail('AVERAGE', 'authenticated');
    expect(stats).toMatchObject({
      through_day: '2026-10-30',
      first_day: '2026-10-01',
      high_365d: 57,
      low_365d: 55,
    });
    expect(stats?.return_1d).toBeCloseTo(57 / 55 - 1, 12);
    expect(stats?.return_7d).toBeCloseTo(57 / 55 - 1, 12);
    expect(stats?.max_drawdown_365d).toBeCloseTo(55 / 57 - 1, 12);
    // 29 changes of +2 and -2 cents in turn, the first and the last +2.
    const mean = 2 / 29;
    const variance = (15 * (2 - mean) ** 2 + 14 * (-2 - mean) ** 2) / 28;
    expect(stats?.volatility).toBeCloseTo(Math.sqrt(variance * 365), 9);
    expect(stats).not.toHaveProperty('return_90d');
  });
});

describe('confidence', () => {
  it('is on details and lists of both tiers', () => {
    const expected = { grade: 'A', effective_sources: 2, oldest_input_age_seconds: 0, median_spread: 2 };
    const answers = [
      detail('AVERAGE'),
      detail('AVERAGE', 'authenticated'),
      ask('/rates', 'authenticated', '').data.find((row) => row.ticker === 'AVERAGE'),
      ask('/rates', 'public', '').data.find((row) => row.ticker === 'AVERAGE'),
    ];
    for (const answer of answers) expect(answer?.confidence).toEqual(expected);
    expect(detail('AVERAGE', 'public', NOW + 7 * HOUR_MS).confidence).toEqual({ ...expected, grade: 'B' });
  });

  it('has as effective sources 1 / Σw²', () => {
    expect(detail('VOLUME').confidence?.effective_sources).toBeCloseTo(1 / (0.75 ** 2 + 0.25 ** 2), 12);
  });
});

it('every point of a chain names the contracts that made it with their weights', () => {
  const { data } = ask('/rates/{id}/prices', 'public', 'CHAIN');
  const weightsOn = (at: string) =>
    data.find((point) => point.at === at)?.sources.map((each) => [each.market_id, each.weight]);
  expect(weightsOn('2026-10-12T00:00:00Z')).toEqual([[A, 1]]);
  expect(weightsOn('2026-10-13T00:00:00Z')).toEqual([
    [A, 0.75],
    [B, 0.25],
  ]);
  expect(weightsOn('2026-10-16T00:00:00Z')).toEqual([[B, 1]]);
  expect(ask('/rates/{id}/prices', 'public', 'AVERAGE').data[0]).toEqual({
    at: '2026-10-01T04:00:00Z',
    price: 55,
  });
});

it('the stored inputs of every methodology reproduce its prints', () => {
  const report = store.read((reader) => verify(reader, []));
  expect(report).toMatchObject({ tickers: rates.length, differences: [] });
  expect(report.recalculated).toBe(report.chained);
});

it('the points of a rolling chain are those of its newest prints, also of restated ones', () => {
  store.write((writer) => {
    const observations = [{ observed_at: START + 2 * DAY_MS, bid: 0.2, ask: 0.22 }];
    insertObservations(writer, marketKey(writer, A), { series: 'quote', observations }, NOW + HOUR_MS);
  });
  backfill(store, { tickers: ['CHAIN'], from: START, to: NOW }, NOW + HOUR_MS, () => {});
  const prints = store.read((reader) => selectRatePrints(reader, 'CHAIN', 0, NOW));
  const restated = prints.filter((each) => each.revision > 0);
  expect(restated).toMatchObject([{ at: Date.parse('2026-10-04T00:00:00Z'), revision: 1 }]);
  expect(ask('/rates/{id}/prices', 'public', 'CHAIN').data).toEqual(
    prints.map(({ at, price, revision, lines }) => ({
      at: formatInstant(at),
      price: toCents(price),
      ...(revision > 0 && { revision }),
      sources: lines
        .filter((line) => line.state === 'included')
        .map(({ market_id, weight }) => ({ market_id, weight })),
    })),
  );
});

it('the points of a rolling chain that was changed name the contracts of their own time', () => {
  const hand = new HandStore();
  const chain = (next: string) => ({
    ...rate('NEXT', ['A', next], { methodology: 'rolling', roll: { kind: 'step_change' } }),
    sources: [{ market_id: 'venue_a:A', roll_at: formatInstant(at(1)) }, { market_id: `venue_a:${next}` }],
  });
  hand.adopt([], [chain('B')]);
  hand.at(at(0), { A: 0.4, B: 0.5, C: 0.6 });
  hand.at(at(1), { A: 0.4, B: 0.5, C: 0.6 });
  hand.adopt([], [chain('C')]);
  hand.at(at(2), { A: 0.4, B: 0.5, C: 0.6 });
  const { data } = hand.ask('/rates/{id}/prices', { id: 'NEXT' }) as unknown as Answer;
  expect(data.map(({ sources }) => sources.map((each) => each.market_id))).toEqual([
    ['venue_a:A'],
    ['venue_a:B'],
    ['venue_a:C'],
  ]);
});
