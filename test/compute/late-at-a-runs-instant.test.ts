import { expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import type { Instant } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { selectIndexPrints } from '../../src/store/prints/index-prints.ts';
import { ALL, at, basket, index } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';
import { market } from '../helpers/small-store.ts';
import { differences, observe } from './late-prices.ts';

// What becomes known at the instant of a run or backfill, after it, before another run at that instant.

const whole = basket('WHOLE', ['A', 'B']);
const totalReturn = index('WHOLE.TR', 'total_return', { base_index_id: 'WHOLE' });
const NOW = at(2);

/** Three hours of two names. */
function threeHours(indices: object[]): HandStore {
  const hand = new HandStore();
  hand.adopt(indices);
  for (const [i, price] of [0.5, 0.6, 0.5].entries()) hand.at(at(i), { A: 0.4, B: price });
  return hand;
}

/** The venue says at an instant that A has paid since an earlier one. */
function settleLate({ store }: HandStore, since: Instant): void {
  const paid = { status: 'settled', settled_at: since, payout: 1 } as const;
  store.write((writer) => upsertMarket(writer, market({ market_id: 'venue_a:A', ...paid }), NOW));
}

const levels = ({ store }: HandStore, ticker: string) =>
  store.read((reader) => selectIndexPrints(reader, ticker, 0, ALL).map(({ at, level }) => ({ at, level })));

it.each([0.5, 1.5])(
  'a total return that begins after a settlement of %d hours became known moves as its base does',
  (since) => {
    const hand = threeHours([whole]);
    const { store } = hand;
    settleLate(hand, at(since));
    hand.adopt([totalReturn, whole]);
    compute(store, NOW, () => {});
    observe(store, 'B', at(3), 0.7, at(3));
    compute(store, at(3), () => {});
    const expected = levels(hand, 'WHOLE');
    expect(expected).toHaveLength(4);
    expect(levels(hand, 'WHOLE.TR')).toEqual(
      expected.map(({ at, level }) => ({ at, level: expect.closeTo(level, 9) })),
    );
    expect(differences(store)).toEqual([]);
  },
);

it('a settlement that is told after a backfill of another index restates at a later instant', () => {
  const hand = threeHours([whole, basket('OTHER', ['B'])]);
  const { store } = hand;
  backfill(store, { tickers: ['OTHER'], from: at(0), to: ALL }, NOW + 1, () => {});
  settleLate(hand, at(0.5));
  expect(compute(store, NOW + 1, () => {}).restated).toBe(2);
  expect(differences(store)).toEqual([]);
});
