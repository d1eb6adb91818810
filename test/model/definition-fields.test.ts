import { expect, it } from 'vitest';
import { readInTime } from '../../src/ingest/wire/read-in-time.ts';
import { repeatedProblems } from '../../src/model/definitions/definition-fields.ts';

it('a repeated market is found among hundreds of thousands', () => {
  const named = Array.from({ length: 300_000 }, (_, i) => ({ market_id: `venue_a:KX-${i}` }));
  const problemsOf = (more: typeof named) =>
    readInTime(60, () => repeatedProblems('constituents', [...named, ...more]));
  expect(problemsOf([])).toEqual([]);
  expect(problemsOf([{ market_id: 'venue_a:KX-299998' }])).toEqual([
    { path: ['constituents'], message: 'names venue_a:KX-299998 twice' },
  ]);
});
