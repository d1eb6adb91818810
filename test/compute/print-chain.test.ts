import { expect, it } from 'vitest';
import { at, basket } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';

/** The links of an index that is adopted first and calculated last, after two settlements among what it holds. */
function linksOf(ticker: string, others: readonly object[]) {
  const main = basket(ticker, ['A', 'B', 'C']);
  const hand = new HandStore();
  hand.adopt([main]);
  hand.adopt([...others, main]);
  hand.at(at(0), { A: 0.5, B: 0.25, C: 0.4, X: 0.5, Y: 0.2 });
  hand.at(at(1), { A: { pays: 1 }, B: 0.3, C: 0.4, X: { pays: 0 }, Y: 0.2 });
  hand.at(at(2), { A: { pays: 1 }, B: { pays: 0 }, C: 0.5, X: { pays: 0 }, Y: 0.3 });
  return hand.store.read((reader) => ({
    links: reader.all('SELECT at, level, previous_hash, hash FROM index_prints WHERE ticker = ?', ticker),
    holdings: reader.value<number>('SELECT count(*) FROM holdings WHERE ticker = ?', ticker) ?? 0,
  }));
}

it('the hashes of an index are the same whether or not others are calculated before it', () => {
  const alone = linksOf('MAIN', []);
  expect(alone.links).toHaveLength(3);
  expect(alone.holdings).toBeGreaterThan(1);
  expect(linksOf('MAIN', [basket('OTHER', ['X', 'Y']), basket('SAME', ['A', 'B', 'C'])])).toEqual(alone);
});
