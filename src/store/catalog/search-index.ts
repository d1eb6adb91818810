/**
 * The full-text search index of markets and events, updated row by row as the catalog is written, or rebuilt. Rows are
 * numbered so that the most traded come first, in buckets by powers of two of their volume.
 */
import { crc32 } from 'node:zlib';
import type { CatalogEvent, CatalogMarket } from '../../model/catalog.ts';
import { type Family, type Platform, platformOf } from '../../model/platform.ts';
import { RowInsertion } from '../many-rows.ts';
import type { Reader, Store, Value, Writer } from '../store.ts';
import { encodeWords } from './search-record.ts';
import { type Piece, piecesOf } from './search-words.ts';

/** The kinds of records that can be searched. */
const KINDS = ['market', 'event'] as const;
export type SearchKind = (typeof KINDS)[number];

/** Version of the rules that turn texts into words. When it changes, the index is rebuilt. */
const RULES = 2;

/** Rows per transaction while the index is rebuilt. */
const BATCH = 5_000;

/** Allows null for absent fields: they are null in rows and absent in records. */
type Loose<Item> = { [Field in keyof Item]: Item[Field] | null };
type Records = { market: Loose<CatalogMarket>; event: Loose<CatalogEvent> };

/** The texts that a record is found by. */
interface Searchable {
  /** The title; its words and their order determine the rank. */
  title: string | null;
  names: readonly (string | null | undefined)[];
  /** Long texts; matches found only here rank behind all that are found by title or names. */
  texts: readonly (string | null | undefined)[];
}

const SEARCHABLE: { [Kind in SearchKind]: (record: Records[Kind]) => Searchable } = {
  market: (market) => ({
    title: market.question,
    names: [market.slug, market.native_id, market.yes_sub_title, market.event_slug],
    texts: [market.description, market.rules_primary],
  }),
  event: (event) => ({
    title: event.title,
    names: [event.slug, event.native_id, event.series, event.category],
    texts: [event.description],
  }),
};

const wordRows = (kind: SearchKind) =>
  new RowInsertion({ table: `${kind}_words`, columns: ['rowid', 'head', 'body', 'venue'] });
const searchRows = (kind: SearchKind) =>
  new RowInsertion({ table: `${kind}_search`, columns: ['search_id', 'record_key', 'digest', 'words'] });
const WORD_ROWS = { market: wordRows('market'), event: wordRows('event') };
const SEARCH_ROWS = { market: searchRows('market'), event: searchRows('event') };

/** Adds the texts of markets or events, by key, to the index, or updates them. */
export function indexRecords<Kind extends SearchKind>(
  writer: Writer,
  kind: Kind,
  records: ReadonlyMap<number, Records[Kind]>,
): void {
  const known = findIndexed(writer, kind, [...records.keys()]);
  const words: Value[] = [];
  const rows: Value[] = [];
  // The full-text index buffers rows as long as their ids ascend, and flushes the buffer before one that does not.
  const searchIds = Array.from(records, ([key, { volume }]) => searchIdOf(key, volume ?? 0));
  for (const search_id of searchIds.sort((a, b) => a - b)) {
    const key = keyOfSearchId(search_id);
    const record = records.get(key) as Records[Kind];
    const { title, names, texts } = SEARCHABLE[kind](record);
    const digest = crc32(JSON.stringify([title, names, texts]));
    const before = known.get(key);
    if (before?.search_id === search_id && before.digest === digest) continue;
    if (before) {
      writer.run(`DELETE FROM ${kind}_words WHERE rowid = ?`, before.search_id);
      writer.run(`DELETE FROM ${kind}_search WHERE search_id = ?`, before.search_id);
    }
    const { encoded, head, body } = wordColumns(title ?? '', names, texts);
    words.push(search_id, head, body, venueWord(platformOf(record.family as Family)));
    rows.push(search_id, key, digest, encoded);
  }
  WORD_ROWS[kind].insert(writer, words);
  SEARCH_ROWS[kind].insert(writer, rows);
}

function findIndexed(reader: Reader, kind: SearchKind, keys: readonly number[]) {
  const rows = reader.all<{ record_key: number; search_id: number; digest: number }>(
    `SELECT record_key, search_id, digest FROM json_each(?) AS wanted
     CROSS JOIN ${kind}_search ON record_key = wanted.value`,
    JSON.stringify(keys),
  );
  return new Map(rows.map((each) => [each.record_key, each]));
}

/** The words of each column. A word that is in both columns is indexed only in the first. */
function wordColumns(title: string, names: Searchable['names'], texts: Searchable['texts']) {
  const pieces = piecesOf(title);
  const ordered = pieces.flatMap(({ parts }) => parts);
  const known = new Set(ordered);
  const inTitle = known.size;
  addWords(known, pieces);
  for (const name of names) if (name) addWords(known, piecesOf(name));
  const inHead = known.size;
  for (const text of texts) if (text) addWords(known, piecesOf(text));
  const words = [...known];
  const rest = words.slice(inHead);
  return {
    encoded: encodeWords(ordered, words.slice(inTitle, inHead), rest),
    head: words.slice(0, inHead).join(' '),
    body: rest.join(' '),
  };
}

function addWords(words: Set<string>, pieces: readonly Piece[]): void {
  for (const { parts, joined } of pieces) {
    for (const part of parts) words.add(part);
    if (joined !== undefined) words.add(joined);
  }
}

/** The word by which the index filters by venue. */
export function venueWord(platform: Platform): string {
  return platform.replace('_', '');
}

const BUCKETS = 63;
const KEYS = 2 ** 40;

/** The id of a row in the index. Ascending ids order rows by volume bucket, most traded first, then newest first. */
function searchIdOf(key: number, volume: number): number {
  const step = Math.min(BUCKETS, Math.floor(Math.log2(1 + Math.max(0, volume))));
  return (BUCKETS - step) * KEYS + (KEYS - 1 - key);
}

/** The key of the record behind a search id. */
export function keyOfSearchId(searchId: number): number {
  return KEYS - 1 - (searchId % KEYS);
}

/** The key of the record behind a search id, as an SQL expression. */
export function keySql(searchId: string): string {
  return `(${KEYS - 1} - ${searchId} % ${KEYS})`;
}

/** The volume bucket of the record behind a search id, scaled to 0 (not traded) to 1. */
export function tradedShare(searchId: number): number {
  return 1 - Math.floor(searchId / KEYS) / BUCKETS;
}

/**
 * The search ids whose records can be among the `count` most traded: all up to the end of the last one's volume bucket.
 */
export function mostTraded(searchIds: readonly number[], count: number): readonly number[] {
  const last = Float64Array.from(searchIds).sort()[count - 1];
  if (last === undefined) return searchIds;
  const end = (Math.floor(last / KEYS) + 1) * KEYS;
  return searchIds.filter((searchId) => searchId < end);
}

/** Whether the index is complete and was built with the current rules. */
export function isSearchReady(reader: Reader): boolean {
  return reader.value('SELECT rules FROM search_state') === RULES;
}

/** Rebuilds the index, in transactions of some thousand rows. Nothing can be searched until it is complete. */
export function rebuildSearch(store: Store, progress: (done: number) => void = () => {}): void {
  store.write((writer) => {
    writer.run('UPDATE search_state SET rules = 0');
    for (const kind of KINDS) {
      writer.run(`INSERT INTO ${kind}_words (${kind}_words) VALUES ('delete-all')`);
      writer.run(`DELETE FROM ${kind}_search`);
    }
  });
  let done = 0;
  for (const kind of KINDS) {
    const sql = `SELECT ${kind}_key AS key, * FROM ${kind}s WHERE ${kind}_key > ? ORDER BY ${kind}_key LIMIT ?`;
    let last: number | undefined = 0;
    while (last !== undefined) {
      const after: number = last;
      last = store.write((writer) => {
        const rows = writer.all<Records[typeof kind] & { key: number }>(sql, after, BATCH);
        indexRecords(writer, kind, new Map(rows.map((row) => [row.key, row])));
        done += rows.length;
        return rows.at(-1)?.key;
      });
      progress(done);
    }
  }
  store.write((writer) => {
    joinSearch(writer);
    writer.run('UPDATE search_state SET rules = ?', RULES);
  });
}

/**
 * Merges the segments of the index, all of which a search has to read, and drops replaced entries. This rewrites the
 * whole index, in about a second for a million markets.
 */
export function joinSearch(writer: Writer): void {
  for (const kind of KINDS) writer.run(`INSERT INTO ${kind}_words (${kind}_words) VALUES ('optimize')`);
}
