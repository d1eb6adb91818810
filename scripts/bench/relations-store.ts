import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { relate } from '../../src/compute/relations/relate.ts';
import { config } from '../../src/model/config.ts';
import type { SimilarityTables } from '../../src/model/similarity-tables.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { processorMs } from './processor-time.ts';
import { FAMILIES, PLATFORMS, questions, VENUES } from './relations-world.ts';

const NOW = Date.UTC(2026, 10, 2);

function put(store: Store, texts: Iterator<string>, from: number, count: number): void {
  store.write((writer) => {
    for (let i = from; i < from + count; i++)
      upsertMarket(
        writer,
        {
          market_id: `${PLATFORMS[i % VENUES]}:M${i}`,
          family: FAMILIES[i % VENUES] ?? 'venue_a',
          native_id: `M${i}`,
          question: texts.next().value ?? '',
          status: 'active',
          venue_status: 'active',
        },
        NOW,
      );
  });
}

/**
 * Measures the whole step of compute on a store, reading and writing included.
 *
 * @returns processor milliseconds of the first run, of one after 1% new markets, and of one where nothing is new
 */
export function measureStore(
  tables: SimilarityTables,
  count: number,
): { full: number; onePercent: number; nothing: number } {
  const folder = mkdtempSync(join(tmpdir(), 'foremark-relations-'));
  const store = openStore(join(folder, 'foremark.db'));
  const { floors } = config.parse({}).relations;
  const run = () => {
    const began = processorMs();
    relate(store, { now: 0, tables, floors }, () => {});
    return processorMs() - began;
  };
  try {
    const texts = questions(tables);
    put(store, texts, 0, count);
    const full = run();
    put(store, texts, count, Math.round(count / 100));
    const onePercent = run();
    return { full, onePercent, nothing: run() };
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
