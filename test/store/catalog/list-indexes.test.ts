import { describe, expect, it } from 'vitest';
import { upsertMarket } from '../../../src/store/catalog/catalog.ts';
import { dropListIndexes } from '../../../src/store/catalog/list-indexes.ts';
import { setCatalogState } from '../../../src/store/runs.ts';
import type { Reader } from '../../../src/store/store.ts';
import { memoryStore } from '../../helpers/memory-store.ts';
import { market } from '../../helpers/small-store.ts';

const NOW = Date.parse('2026-10-29T12:00:00Z');

const indexesOf = (reader: Reader) =>
  reader.all("SELECT name, sql FROM sqlite_schema WHERE type = 'index' ORDER BY name");

describe('the indexes of market lists', () => {
  it('are absent until a first catalog is served, even if that took several runs, and stay from then on', () => {
    const store = memoryStore();
    const all = store.read(indexesOf);
    for (const number of [1, 2, 3]) {
      store.write((writer) => {
        dropListIndexes(writer);
        upsertMarket(writer, market({ market_id: `venue_a:M${number}` }), NOW);
      });
      expect(store.read(indexesOf)).toHaveLength(all.length - 6);
    }
    store.write((writer) => setCatalogState(writer, 'rebuilding', NOW));
    expect(store.read(indexesOf)).toHaveLength(all.length - 6);
    store.write((writer) => setCatalogState(writer, 'serving', NOW));
    expect(store.read(indexesOf)).toEqual(all);
    store.write(dropListIndexes);
    expect(store.read(indexesOf)).toEqual(all);
  });
});
