import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { upsertEvents } from '../../../src/store/catalog/catalog.ts';
import { countRows } from '../../../src/store/catalog/catalog-counts.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { openSmallApp, type Row } from '../../helpers/small-app.ts';
import { BASE, put } from '../../helpers/small-store.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const folder = temporaryFolder();
const [a, b] = [{ platform: 'venue_a' as const }, { platform: 'venue_b' as const }];
/** All, those of two venues, and those of a date window, which are counted on request. */
const FILTERS = [{}, a, b, { closesAfter: 0 }];
const counts = (store: Store, kind: 'market' | 'event' = 'market') =>
  store.read((reader) => FILTERS.map((filter) => countRows(reader, kind, filter)));

it('[2.3/1] a count is exact whoever wrote since: this connection, another one, or nobody', () => {
  const path = `${folder}/counts.db`;
  const own = openStore(path);
  const other = openStore(path);
  const closing = { closes_at: BASE };
  expect(counts(own)).toEqual([0, 0, 0, 0]);
  put(own, { market_id: 'venue_a:1', ...closing });
  expect(counts(own)).toEqual([1, 1, 0, 1]);
  put(other, { market_id: 'venue_b:us:2', ...closing });
  expect(counts(own)).toEqual([2, 1, 1, 2]);
  put(own, { market_id: 'venue_a:1', ...closing, volume: 9 });
  expect(counts(own)).toEqual([2, 1, 1, 2]);
  other.write((writer) => {
    put(other, { market_id: 'venue_b:3', ...closing });
    expect(FILTERS.map((filter) => countRows(writer, 'market', filter))).toEqual([3, 1, 2, 3]);
    expect(counts(own)).toEqual([2, 1, 1, 2]);
  });
  expect(counts(own)).toEqual([3, 1, 2, 3]);
  expect(() =>
    own.write((writer) => {
      put(own, { market_id: 'venue_a:4', ...closing });
      expect(FILTERS.map((filter) => countRows(writer, 'market', filter))).toEqual([4, 2, 2, 4]);
      throw new Error('undone');
    }),
  ).toThrow('undone');
  expect(counts(own)).toEqual([3, 1, 2, 3]);
  for (const store of [own, other]) store.close();
});

it('[2.3/1] a migration counts the rows of an older store, and a row deleted by hand is subtracted', () => {
  const path = `${folder}/before.db`;
  const store = openStore(path);
  for (const id of ['venue_a:1', 'venue_b:2', 'venue_b:us:3']) put(store, { market_id: id, closes_at: BASE });
  const event = { event_id: 'venue_b:9', family: 'venue_b_global', native_id: '9', title: 'Nine' } as const;
  store.write((writer) => upsertEvents(writer, [{ ...event, closes_at: BASE }], BASE));
  const told = () => [counts(store), counts(store, 'event')];
  const expected = [
    [3, 1, 2, 3],
    [1, 0, 1, 1],
  ];
  expect(told()).toEqual(expected);
  const raw = new Database(path);
  for (const name of ['market_counted', 'event_counted', 'market_counted_off', 'event_counted_off'])
    raw.exec(`DROP TRIGGER ${name}`);
  raw.exec('DROP TABLE catalog_counts');
  const migrations = join(import.meta.dirname, '../../../src/store/migrations');
  raw.exec(readFileSync(join(migrations, '0021-catalog-counts.sql'), 'utf8'));
  expect(told()).toEqual(expected);
  raw.pragma('foreign_keys = OFF');
  raw.exec(`DELETE FROM markets WHERE market_id = 'venue_b:2'; DELETE FROM events`);
  raw.close();
  expect(told()).toEqual([
    [2, 1, 1, 2],
    [0, 0, 0, 0],
  ]);
  store.close();
});

it("[2.3/1] the total of a full list, or of a venue's, comes from the kept count: no request counts rows", async () => {
  const { small, anyone } = openSmallApp();
  const total = ({ meta, ...body }: Row) => (meta as Row | undefined)?.total ?? body.total;
  const asked = ['/markets', '/markets?venue=venue_a', '/events', '/events?venue=venue_a'];
  const totals = () => Promise.all(asked.map(async (path) => total(await anyone(path))));
  const before = await totals();
  // The kept count is shown, right or wrong.
  small.store.write((writer) => writer.run('UPDATE catalog_counts SET count = count * 10'));
  expect(await totals()).toEqual(before.map((each) => Number(each) * 10));
  expect(before).not.toContain(0);
  small.close();
});
