import { afterAll, beforeAll, expect, it } from 'vitest';
import { upsertMarkets } from '../../../src/store/catalog/catalog.ts';
import { listMatchIds, MOST_MATCHES } from '../../../src/store/catalog/search.ts';
import { keyOfSearchId } from '../../../src/store/catalog/search-index.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { BASE, market } from '../../helpers/small-store.ts';

/** The most traded match by their description alone; of the others there are more than are shown. */
const BY_TEXT = 60;
const ROWS = MOST_MATCHES + 2 * BY_TEXT;

let store: Store;
let keys: ReadonlyMap<string, number>;
beforeAll(() => {
  store = openStore(':memory:');
  const markets = Array.from({ length: ROWS }, (_, i) =>
    market({
      market_id: `venue_a:m-${i}`,
      question: i < BY_TEXT ? 'Something else' : 'A common question',
      description: i < BY_TEXT ? 'a common question' : '',
      closes_at: BASE + i,
      volume: 2 ** (20 - Math.min(20, Math.floor(i / BY_TEXT))),
    }),
  );
  keys = store.write((writer) => upsertMarkets(writer, markets, BASE, new Map())).keys;
});
afterAll(() => store.close());

it.each([
  ['without a filter', {}],
  ['within dates in which most close', { closesAfter: BASE + 1 }],
])('[4.1/2] above the limit a search %s takes what matches by its title first', (_, filter) => {
  for (const text of ['common', 'common question', 'a common question']) {
    const found = store.read((reader) => listMatchIds(reader, 'market', { text, filter }).map(keyOfSearchId));
    expect(new Set(found).size).toBe(MOST_MATCHES);
    const byText = Array.from({ length: BY_TEXT }, (_each, i) => keys.get(`venue_a:m-${i}`) ?? -1);
    expect(found.filter((key) => byText.includes(key))).toEqual([]);
  }
});
