import { expect, it } from 'vitest';
import { linkProblems } from '../../src/model/definitions/definition-links.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';

const head = (ticker: string) => ({
  ticker,
  name: ticker,
  quote_convention: 'points',
  visibility: 'public',
  interval_minutes: 60,
  base_at: '2026-01-01',
});
const basket = (ticker: string, constituents: object[]) =>
  indexDefinition.parse({
    ...head(ticker),
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
const totalReturn = (ticker: string, base_index_id: string) =>
  indexDefinition.parse({ ...head(ticker), methodology: 'total_return', base_index_id });

const told = (...indices: Parameters<typeof linkProblems>[0]) =>
  linkProblems(indices, []).map(({ ticker, path, message }) => `${ticker} ${path.join('.')}: ${message}`);

it('definitions may only be made of what is defined, and never of themselves', () => {
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
