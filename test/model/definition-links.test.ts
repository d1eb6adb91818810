import { expect, it } from 'vitest';
import { linkProblems } from '../../src/model/definitions/definition-links.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { rateDefinition } from '../../src/model/definitions/rate-definition.ts';

const head = (ticker: string) => ({
  ticker,
  name: ticker,
  quote_convention: 'points',
  visibility: 'public',
  interval_minutes: 60,
  base_at: '2026-01-01',
});
const basket = (ticker: string, constituents: object[], readers = {}) =>
  indexDefinition.parse({
    ...head(ticker),
    ...readers,
    methodology: 'basket',
    weighting: { scheme: 'equal' },
    constituents,
  });
const composite = (ticker: string, ...made: string[]) =>
  indexDefinition.parse({
    ...head(ticker),
    methodology: 'composite',
    weighting: { categories: { all: 1 } },
    constituents: made.map((index) => ({ index, category: 'all' })),
  });
const totalReturn = (ticker: string, base_index_id: string, readers = {}) =>
  indexDefinition.parse({ ...head(ticker), ...readers, methodology: 'total_return', base_index_id });
const rate = (ticker: string, readers: object) =>
  rateDefinition.parse({
    ticker,
    name: ticker,
    ...readers,
    interval_minutes: 60,
    start_at: '2026-01-01',
    methodology: 'simple_average',
    sources: [{ market_id: 'venue_a:A' }, { market_id: 'venue_b:B' }],
  });

const told = (...indices: Parameters<typeof linkProblems>[0]) => toldWith([], ...indices);
const toldWith = (
  rates: Parameters<typeof linkProblems>[1],
  ...indices: Parameters<typeof linkProblems>[0]
) =>
  linkProblems(indices, rates).map(({ ticker, path, message }) => `${ticker} ${path.join('.')}: ${message}`);

it('definitions may only hold what is defined, and never themselves', () => {
  const good = basket('GOOD', [{ market_id: 'venue_a:A' }]);
  expect(told(good, composite('C', 'GOOD'), totalReturn('T', 'C'))).toEqual([]);
  expect(told(basket('B', [{ rate: 'R' }]))).toEqual([
    'B constituents.0.rate: names the rate R, which is not defined',
  ]);
  expect(told(totalReturn('T', 'X'))).toEqual(['T base_index_id: names the index X, which is not defined']);
  expect(told(composite('C', 'D'), composite('D', 'C'))).toEqual([
    'C constituents: must not be made of C itself',
    'D constituents: must not be made of D itself',
  ]);
  expect(told(good, totalReturn('T', 'GOOD'), totalReturn('TT', 'T'))).toEqual([
    'TT base_index_id: must be a basket or composite, T is total_return',
  ]);
});

it('[5/2] nothing may hold what only some of its readers may read', () => {
  const desk = { visibility: 'organization', organization: 'desk' };
  const other = { visibility: 'organization', organization: 'other' };
  const base = basket('BASE', [{ market_id: 'venue_a:A' }], desk);
  const made = (readers: object) =>
    toldWith(
      [rate('R', desk), rate('OPEN', { visibility: 'public' })],
      base,
      basket('B', [{ rate: 'OPEN' }, { rate: 'R' }], readers),
      totalReturn('T', 'BASE', readers),
    );
  const refused = [
    'B constituents.1.rate: names the rate R, which only desk may read',
    'T base_index_id: names the index BASE, which only desk may read',
  ];
  expect(made({ visibility: 'public' })).toEqual(refused);
  expect(made(other)).toEqual(refused);
  expect(made(desk)).toEqual([]);
});

it('a composite holds no team index that starts anew: that is no return', () => {
  const team = (more: object) =>
    indexDefinition.parse({
      ...head('TEAM'),
      methodology: 'nti',
      constituents: [{ market_id: 'venue_a:A', seat: 'championship' }],
      ...more,
    });
  const reconstitutes_at = ['2026-02-01'];
  expect(told(team({}), composite('C', 'TEAM'))).toEqual([]);
  expect(told(team({ reconstitutes_at, series: 'historical' }), composite('C', 'TEAM'))).toEqual([]);
  expect(told(team({ reconstitutes_at }), composite('C', 'TEAM'))).toEqual([
    'C constituents.0.index: must not be a live team index with reconstitutes_at: TEAM starts anew at 1000, which is no return',
  ]);
});
