import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { findMarket, upsertMarket } from '../../src/store/catalog/catalog.ts';
import { upsertFiling } from '../../src/store/filings/filings.ts';
import { listRuns } from '../../src/store/runs.ts';
import { openStore } from '../../src/store/store.ts';
import { market } from '../helpers/small-store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const FOLDER = join(import.meta.dirname, '../../src/store/migrations');

describe('migrations', () => {
  it('bring a store of the first schema to the newest one with its rows', () => {
    const path = join(temporaryFolder(), 'foremark.db');
    const [first = '', ...later] = readdirSync(FOLDER).sort();
    const old = new Database(path);
    old.exec(readFileSync(join(FOLDER, first), 'utf8'));
    old.pragma('user_version = 1');
    old.exec("INSERT INTO feeds VALUES ('venue_a/events', 1, 1, 'good', NULL, 5, 0)");
    old.exec(
      `INSERT INTO runs VALUES (1, 'run', 1, 1, 2, 'complete', '{"kept":1}'), (2, 'run', 1, 3, NULL, NULL, NULL)`,
    );
    old.close();
    expect(later.length).toBeGreaterThan(0);
    const store = openStore(path);
    store.write((writer) => {
      upsertMarket(writer, market({ market_id: 'venue_a:KX-1' }), 1);
      const filing = { filing_id: 1, feed: 'dco', org: 'A', title: 'A', status: 'Registered' } as const;
      upsertFiling(writer, { ...filing, source_url: 'https://registry.example/1' }, 1, true);
    });
    store.close();
    const again = openStore(path, { readonly: true });
    again.read((reader) => {
      expect(findMarket(reader, 'venue_a:KX-1')?.market_id).toBe('venue_a:KX-1');
      expect(reader.get('SELECT rows_read FROM feeds')).toEqual({ rows_read: 5 });
      expect(listRuns(reader, 5).map((each) => [each.outcome, each.summary])).toEqual([
        [null, null],
        ['complete', '{"kept":1}'],
      ]);
    });
    again.close();
  });
});
