import { expect, it } from 'vitest';
import { findMarket } from '../../../src/store/catalog/catalog.ts';
import { listMatches } from '../../../src/store/catalog/search.ts';
import { memoryStore } from '../../helpers/memory-store.ts';
import { put } from '../../helpers/small-store.ts';

it('[4.1/1] a ticker that is searched exactly as written ranks above records that merely contain its words', () => {
  const store = memoryStore();
  const tickers = ['KXGDP-26-2.1', 'KXGDP-26-2.2', 'KXGDP-26-2.3'];
  store.write(() => {
    for (const [i, ticker] of tickers.entries())
      put(store, { market_id: `venue_a:${ticker}`, question: 'GDP growth in 2026', volume: 10 ** (6 - i) });
  });
  store.read((reader) => {
    for (const ticker of tickers) {
      const search = { text: ticker, filter: {} };
      const [first] = listMatches(reader, 'market', search, { limit: 1, offset: 0 }).keys;
      expect(first, ticker).toBe(findMarket(reader, `venue_a:${ticker}`)?.market_key);
    }
  });
});

it('[4.1/1] a record is found by its current words and no longer by earlier ones, even if nothing else changed', () => {
  const store = memoryStore();
  const found = (text: string) =>
    store.read((reader) => listMatches(reader, 'market', { text, filter: {} }, { limit: 5, offset: 0 }).keys);
  const market_id = 'venue_a:KX-1';
  put(store, { market_id, question: 'Rain in November', description: 'measured at Oslo', volume: 10 });
  put(store, { market_id, question: 'Snow in November', description: 'measured at Bergen', volume: 10 });
  for (const word of ['snow', 'bergen', 'november']) expect(found(word), word).toHaveLength(1);
  for (const word of ['rain', 'oslo']) expect(found(word), word).toEqual([]);
});
