import { expect, it } from 'vitest';
import { reviewIndex } from '../../scripts/index-review.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import { listIndexDefinitions } from '../../src/store/definitions/definitions.ts';
import { basket, START } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';

it('a move of a gauge is attributed to a price, or to new constituents where these made most of it', () => {
  const hand = new HandStore();
  hand.adopt([basket('MEAN', ['A', 'B'], { methodology: 'gauge', quote_convention: 'probability' })]);
  hand.at(START, { A: 0.8 });
  hand.at(START + HOUR_MS, { A: 0.4 });
  hand.at(START + 2 * HOUR_MS, { A: 0.41, B: 0.01 });
  const lines = hand.store.read((reader) =>
    listIndexDefinitions(reader).flatMap(({ definition }) => reviewIndex(reader, definition, (id) => id)),
  );
  expect(lines.slice(1)).toEqual([
    '  left out: unpriced 33.3%',
    '  2026-10-20T13:00:00Z -50.00%, most of it venue_a:A from 80.00c to 40.00c',
    '  2026-10-20T14:00:00Z -47.50%, most of it by names that came or went',
  ]);
});
