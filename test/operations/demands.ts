/** What must hold of a store and of what is published, whatever was done before. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { sitesOf } from '../../src/commands/context.ts';
import { config } from '../../src/model/config.ts';
import { createApp } from '../../src/serve/serve.ts';
import { openStore, type Reader } from '../../src/store/store.ts';
import { fileTree } from '../helpers/file-tree.ts';
import { findUnequalTwin, listTwins } from '../helpers/served-twins.ts';
import type { Workplace } from './workplace.ts';

/** Each print that was ever seen, with its hash. */
export type Prints = ReadonlyMap<string, string>;

const PRINTS = ['index', 'rate']
  .map(
    (kind) =>
      `SELECT '${kind} ' || ticker || ' ' || at || ' ' || revision AS print, hex(hash) AS hash FROM ${kind}_prints`,
  )
  .join(' UNION ALL ');

/** Prints stay: they are only added. @returns those that stand now */
export function demandPrints(place: Workplace, before: Prints): Prints {
  const rows = place.read((reader) => reader.all<{ print: string; hash: string }>(PRINTS));
  const now = new Map(rows.map(({ print, hash }) => [print, hash]));
  for (const [print, hash] of before) assert.equal(now.get(print), hash, `the print ${print} did not stay`);
  return now;
}

/** The record is whole, and everything calculated from it comes out again. */
export async function demandRecord(place: Workplace): Promise<void> {
  await place.must(['verify']);
  const broken = place.read((reader) => reader.all('PRAGMA foreign_key_check'));
  assert.deepEqual(broken, [], 'foreign keys');
}

/** How many documents are compared with what a server answers. */
const TWINS = 80;

/**
 * A publish that was just made matches its digests, equals one made anew into an empty folder, and the server's answers.
 *
 * @param pick chooses the documents that are compared with the server's
 */
export async function demandPublication(place: Workplace, pick: number): Promise<void> {
  await place.must(['publish', '--verify']);
  const files = place.outlet.files();
  const store = openStore(place.path('foremark.db'), { readonly: true });
  try {
    const settings = config.parse(place.settings);
    const app = createApp({
      store,
      now: () => place.now,
      sites: sitesOf(settings),
      label: settings.data_label,
      report: (thrown) => assert.fail(String(thrown)),
    });
    const twins = listTwins(store);
    const step = Math.ceil(twins.length / TWINS);
    const chosen = twins.filter((_twin, i) => i % step === pick % step);
    const differing = await findUnequalTwin(app, files, chosen);
    assert(!differing, `what is served at ${differing?.url} is not what is published`);
  } finally {
    store.close();
  }
  const anew = await publishedAnew(place);
  const published = shown(files);
  const keys = [...new Set([...Object.keys(published), ...Object.keys(anew)])];
  const differing = keys.filter((key) => published[key] !== anew[key]);
  assert.deepEqual(differing.slice(0, 20), [], 'a first publish of the same store is different');
}

/** What a copy of the store publishes into an empty folder. */
async function publishedAnew(place: Workplace): Promise<Record<string, string>> {
  rmSync(place.path('anew'), { recursive: true, force: true });
  mkdirSync(place.path('anew'));
  await copyStore(place.path('foremark.db'), place.path('anew/foremark.db'));
  const { settings } = place;
  const { s3: _elsewhere, ...options } = settings.publish ?? {};
  const publish = { ...options, folder: 'anew/public' };
  writeFileSync(
    place.path('anew/foremark.json'),
    JSON.stringify({ ...settings, store: 'anew/foremark.db', publish }),
  );
  await place.must(['--config', 'anew/foremark.json', 'publish', '--take-over'], [0, 2]);
  return shown(fileTree(place.path('anew/public')));
}

/** All but the archive, the daily catalogs, which nothing can make again, and what says how runs went. */
function shown(files: Record<string, string>): Record<string, string> {
  const apart = /^archive\/|^publication\.json|^bulk\/(catalog|manifest)|^explorer\/status\.json/;
  return Object.fromEntries(Object.entries(files).filter(([key]) => !apart.test(key)));
}

/** A copy as operators make one, while others may be writing. */
export async function copyStore(from: string, to: string): Promise<void> {
  const database = new Database(from, { readonly: true });
  try {
    await database.backup(to);
  } finally {
    database.close();
  }
}

/** Every ticker that was ever defined. */
export function knownTickers(reader: Reader): string[] {
  return reader
    .all<{ ticker: string }>('SELECT DISTINCT ticker FROM definitions ORDER BY ticker')
    .map(({ ticker }) => ticker);
}
