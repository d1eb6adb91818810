import { afterAll, beforeAll, expect, it } from 'vitest';
import { listMatches } from '../../../src/store/catalog/search.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { put } from '../../helpers/small-store.ts';

const ROWS = 2_500;

let store: Store;
beforeAll(() => {
  store = openStore(':memory:');
  store.write(() => {
    for (let i = 0; i < ROWS; i++)
      put(store, {
        market_id: `venue_a:M${i}`,
        question: `Will group${i % 50} ${i % 3 === 0 ? 'win' : 'lose'} row${i}?`,
        ...(i % 7 === 0 ? { description: `Row ${i}: everybody may win.` } : {}),
        volume: i,
      });
  });
});
afterAll(() => store.close());

/** Every match, page by page. */
function findAll(text: string): number[] {
  const all: number[] = [];
  for (let offset = 0; ; offset += 100) {
    const page = store.read((reader) =>
      listMatches(reader, 'market', { text, filter: {} }, { limit: 100, offset }),
    );
    all.push(...page.keys);
    if (!page.has_next) return all;
  }
}

function expected(test: (i: number) => boolean): Set<string> {
  return new Set(
    Array.from({ length: ROWS }, (_, i) => i)
      .filter(test)
      .map((i) => `venue_a:M${i}`),
  );
}

function named(keys: readonly number[]): Set<string> {
  const sql = 'SELECT market_id FROM markets WHERE market_key = ?';
  return new Set(
    store.read((reader) => keys.map((key) => reader.get<{ market_id: string }>(sql, key)?.market_id ?? '')),
  );
}

it.each([
  ['will group7 win', (i: number) => i % 50 === 7 && (i % 3 === 0 || i % 7 === 0)],
  ['group7 will', (i: number) => i % 50 === 7],
  ['will win', (i: number) => i % 3 === 0 || i % 7 === 0],
  ['everybody will', (i: number) => i % 7 === 0],
  ['will', () => true],
  ['row14 everybody win will', (i: number) => i === 14],
  ['row15 everybody will', () => false],
])('[4.1/1] %s finds what holds every word, however common, once', (text, test) => {
  const found = findAll(text);
  expect(named(found)).toEqual(expected(test));
  expect(found).toHaveLength(expected(test).size);
});
