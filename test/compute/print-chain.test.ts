import { expect, it } from 'vitest';
import { at, basket, rate } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';

const MAIN = basket('MAIN', ['A', 'B', 'C']);
const MEAN = rate('MEAN', ['A', 'B']);

/**
 * The hashes of an index and a rate that are adopted first and calculated last, over two settlements.
 *
 * @param before names of markets that the store meets first
 * @param others indices and rates beside them
 */
function hashesOf(before: readonly string[], others: { indices?: object[]; rates?: object[] } = {}) {
  const { indices = [], rates = [] } = others;
  const hand = new HandStore();
  hand.at(at(-2), Object.fromEntries(before.map((name) => [name, 0.5])));
  if (indices.length > 0) hand.adopt(indices, rates);
  hand.at(at(-1), { A: 0.5, B: 0.25, C: 0.4, X: 0.5, Y: 0.2 });
  hand.adopt([...indices, MAIN], [...rates, MEAN]);
  hand.at(at(0), { A: 0.5, B: 0.25, C: 0.4, X: 0.5, Y: 0.2 });
  hand.at(at(1), { A: { pays: 1 }, B: 0.3, C: 0.4, X: { pays: 0 }, Y: 0.2 });
  hand.at(at(2), { A: { pays: 1 }, B: { pays: 0 }, C: 0.5, X: { pays: 0 }, Y: 0.3 });
  return hand.store.read((reader) => ({
    index: reader.all("SELECT at, level, previous_hash, hash FROM index_prints WHERE ticker = 'MAIN'"),
    rate: reader.all("SELECT at, price, previous_hash, hash FROM rate_prints WHERE ticker = 'MEAN'"),
    holdings: reader.value<number>("SELECT count(*) FROM holdings WHERE ticker = 'MAIN'") ?? 0,
  }));
}

it('the hashes of prints do not depend on what else a store has, nor on the order in which it met that', () => {
  const alone = hashesOf([]);
  expect([alone.index.length, alone.rate.length]).toEqual([3, 2]);
  expect(alone.holdings).toBeGreaterThan(1);
  expect(hashesOf(['C', 'X', 'B', 'A'])).toEqual(alone);
  const indices = [basket('OTHER', ['X', 'Y']), basket('SAME', ['C', 'B', 'A'])];
  expect(hashesOf([], { indices, rates: [rate('ONE', ['Y'])] })).toEqual(alone);
});
