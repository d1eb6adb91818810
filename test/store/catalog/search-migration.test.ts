import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { listMatches } from '../../../src/store/catalog/search.ts';
import { isSearchReady, rebuildSearch } from '../../../src/store/catalog/search-index.ts';
import { openStore } from '../../../src/store/store.ts';
import { put } from '../../helpers/small-store.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const folder = temporaryFolder();

it('[4.1/1] a store with a catalog from before search existed is migrated, and indexed by rebuilding', () => {
  const path = join(folder, 'old.db');
  const first = openStore(path);
  put(first, { market_id: 'venue_a:KXOLD', question: 'An old question' });
  first.close();
  const raw = new Database(path);
  const names = [
    'market_search',
    'market_words',
    'event_search',
    'event_words',
    'search_state',
    'request_counts',
  ];
  for (const name of names) raw.exec(`DROP TABLE ${name}`);
  const indexes = ['by_volume', 'by_close', 'of_venue_by_listing', 'of_venue_by_volume', 'of_venue_by_close'];
  for (const name of indexes) raw.exec(`DROP INDEX markets_${name}`);
  raw.exec(readMigration());
  raw.close();
  const store = openStore(path);
  const found = () =>
    store.read((reader) =>
      listMatches(reader, 'market', { text: 'old', filter: {} }, { limit: 5, offset: 0 }),
    ).keys.length;
  expect([store.read(isSearchReady), found()]).toEqual([false, 0]);
  rebuildSearch(store);
  expect([store.read(isSearchReady), found()]).toEqual([true, 1]);
  store.close();
});

function readMigration(): string {
  return readFileSync(
    join(import.meta.dirname, '../../../src/store/migrations/0004-search-and-usage.sql'),
    'utf8',
  );
}
