import { afterEach, beforeEach, expect, it } from 'vitest';
import { newWalkState } from '../../src/ingest/catalog/catalog-walk.ts';
import { insertQuoteIfNew, keepCatalog } from '../../src/ingest/catalog/keep-catalog.ts';
import { config } from '../../src/model/config.ts';
import type { SeenPrices } from '../../src/model/observation.ts';
import { MINUTE_MS } from '../../src/model/time.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { market, put } from '../helpers/small-store.ts';
import { NOW } from './run-ingest.ts';

const ID = 'venue_a:KX-1';

let store: Store;
beforeEach(() => {
  store = openStore(':memory:');
  put(store, { market_id: ID }, NOW - 1);
});
afterEach(() => store.close());

it.each([
  ['the same', { bid: 0.4, ask: 0.6, last: 0.5 }, { bid: 0.4, ask: 0.6, last: 0.5 }, 90, 0],
  ['the same, after more than 90 minutes', { bid: 0.4, ask: 0.6 }, { bid: 0.4, ask: 0.6 }, 91, 1],
  ['a bid alone, after more than 90 minutes', { bid: 0.4 }, { bid: 0.4 }, 91, 1],
  ['an ask alone, after more than 90 minutes', { ask: 0.6 }, { ask: 0.6 }, 91, 1],
  ['neither, after more than 90 minutes', { last: 0.5 }, { last: 0.5 }, 91, 0],
  ['one without its last trade', { bid: 0.4, ask: 0.6, last: 0.5 }, { bid: 0.4, ask: 0.6 }, 1, 0],
  ['another last trade', { bid: 0.4, ask: 0.6, last: 0.5 }, { bid: 0.4, ask: 0.6, last: 0.51 }, 1, 1],
  ['another ask', { bid: 0.4, ask: 0.6 }, { bid: 0.4, ask: 0.61 }, 1, 1],
])('a quote tells something new or not: %s', (_, before: SeenPrices, after: SeenPrices, minutes, added) => {
  const insert = (prices: SeenPrices, now: number) =>
    store.write((writer) => insertQuoteIfNew(writer, marketKey(writer, ID), prices, now));
  expect(insert(before, NOW)).toBe(1);
  expect(insert(after, NOW + minutes * MINUTE_MS)).toBe(added);
});

it.each([
  ['locked', 0.5, 0.5, 0],
  ['crossed', 0.51, 0.5, 1],
])('the book of a named market is fetched where its row is %s', (_, bid, ask, books) => {
  const named = [{ market_id: ID, family: 'venue_a', native_id: 'KX-1' } as const];
  const starts = { history_from: 0, named_since: 0, priced_from: 0 };
  const state = newWalkState({
    named: named.map((each) => ({ ...each, ...starts })),
    config: config.parse({}),
  });
  const listed = { market: market({ market_id: ID }), quote: { prices: { bid, ask }, has_book: true } };
  store.write((writer) => keepCatalog(writer, { events: [], markets: [listed] }, NOW, state));
  expect(state.bookWanted.size).toBe(books);
});
