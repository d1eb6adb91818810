import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { standingDeletions } from '../../src/methodology/deletion-notices.ts';
import { findMarket, upsertMarket } from '../../src/store/catalog/catalog.ts';
import { listAnnouncements } from '../../src/store/definitions/announcements.ts';
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

  it('give notices of an older store what they announce or call off, which was read in their texts', () => {
    const path = join(temporaryFolder(), 'foremark.db');
    const before = readdirSync(FOLDER).sort().slice(0, 33);
    const old = new Database(path);
    for (const name of before) old.exec(readFileSync(join(FOLDER, name), 'utf8'));
    old.pragma('user_version = 33');
    const insert = old.prepare(
      "INSERT INTO announcements VALUES (NULL, ?, 'PAIR', ?, ?, 1, 9, '[]', '[]', NULL)",
    );
    const done = (id: string) => `Who takes what takes venue_a:${id} out at 4.5 cents a contract.`;
    insert.run('corporate_action', 'Deletion from PAIR', done('A'));
    insert.run('corporate_action', 'Deletion from PAIR', done('B'));
    insert.run('corporate_action', 'Deletion from PAIR called off', `This is not done then: ${done('A')}`);
    insert.run('corporate_action', 'A split', done('C'));
    insert.run('rebalance', 'Rebalance of PAIR', 'Resets.');
    insert.run('rebalance', 'Change of PAIR called off', 'Stays.');
    old.close();
    const store = openStore(path);
    const notices = store.read((reader) => listAnnouncements(reader, { until: 9 })).reverse();
    expect(notices.map(({ deed, calls_off }) => [deed, calls_off])).toEqual([
      ['venue_a:A 4.5', undefined],
      ['venue_a:B 4.5', undefined],
      ['venue_a:A 4.5', true],
      [undefined, undefined],
      [undefined, undefined],
      [undefined, true],
    ]);
    expect([...standingDeletions(notices).keys()]).toEqual(['9 venue_a:B 4.5']);
    const change = () => store.write((writer) => writer.run("UPDATE announcements SET deed = ''"));
    expect(change).toThrow('announcements are never changed');
    store.close();
  });
});
