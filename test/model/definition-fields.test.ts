import { expect, it } from 'vitest';
import { readInTime } from '../../src/ingest/wire/read-in-time.ts';
import { repeated } from '../../src/model/definitions/definition-fields.ts';

it('a repeated market is found among hundreds of thousands', () => {
  const ids = Array.from({ length: 300_000 }, (_, i) => `venue_a:KX-${i}`);
  expect(readInTime(5, () => repeated(ids))).toBeUndefined();
  expect(readInTime(5, () => repeated([...ids, 'venue_a:KX-299998']))).toBe('venue_a:KX-299998');
});
