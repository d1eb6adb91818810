/**
 * The search index: the words of every market and event, kept up to date row by row as the catalog is written,
 * or built anew. Rows are numbered so that the most traded come first, by powers of two of their volume.
 */
import { crc32 } from 'node:zlib';
import type { CatalogEvent, CatalogMarket } from '../../model/catalog.ts';
import { type Platform, platformOf } from '../../model/platform.ts';
import { RowInsertion } from '../many-rows.ts';
import type { Reader, Store, Value, Writer } from '../store.ts';
import { encodeWords } from './search-record.ts';
import { type Piece, piecesOf } from './search-words.ts';

/** What is searched for. */
export type SearchKind = 'market' | 'event';

/** Rises when words are taken from texts in another way: the index is then built anew. */
const RULES = 2;

/** Rows of one transaction while the index is built anew. */
const BATCH = 5_000;

/** What may be left out is null in a row and absent in a record. */
type Loose<Item> = { [Field in keyof Item]: Item[Field] | null };

/** A record with the texts that it is found by. */
interface Searchable {
  key: number;
  platform: Platform;
  /** What it is called; its words in their order decide the rank. */
  title: string;
  names: readonly (string | null | undefined)[];
  /** Found here, it stands behind whatever is found by its title or names. */
  texts: readonly (string | null | undefined)[];
  volume: number | null | undefined;
}

/** Puts the texts of markets, by key, into the index, or brings them up to date. */
export function indexMarkets(writer: Writer, markets: ReadonlyMap<number, Loose<CatalogMarket>>): void {
  indexRecords(
    writer,
    'market',
    Array.from(markets, ([key, market]) => searchableMarket(key, market)),
  );
}

function searchableMarket(key: number, market: Loose<CatalogMarket>): Searchable {
  return {
    key,
    platform: platformOf(market.family as CatalogMarket['family']),
    title: market.question ?? '',
    names: [market.slug, market.native_id, market.yes_sub_title, market.event_slug],
    texts: [market.description, market.rules_primary],
    volume: market.volume,
  };
}

/** Puts the texts of events, by key, into the index, or brings them up to date. */
export function indexEvents(writer: Writer, events: ReadonlyMap<number, Loose<CatalogEvent>>): void {
  indexRecords(
    writer,
    'event',
    Array.from(events, ([key, event]) => searchableEvent(key, event)),
  );
}

function searchableEvent(key: number, event: Loose<CatalogEvent>): Searchable {
  return {
    key,
    platform: platformOf(event.family as CatalogEvent['family']),
    title: event.title ?? '',
    names: [event.slug, event.native_id, event.series, event.category],
    texts: [event.description],
    volume: event.volume,
  };
}

const wordRows = (kind: SearchKind) =>
  new RowInsertion({ table: `${kind}_words`, columns: ['rowid', 'head', 'body', 'venue'] });
const searchRows = (kind: SearchKind) =>
  new RowInsertion({ table: `${kind}_search`, columns: ['search_id', 'record_key', 'digest', 'words'] });
const WORD_ROWS = { market: wordRows('market'), event: wordRows('event') };
const SEARCH_ROWS = { market: searchRows('market'), event: searchRows('event') };

function indexRecords(writer: Writer, kind: SearchKind, records: readonly Searchable[]): void {
  const known = findIndexed(
    writer,
    kind,
    records.map((each) => each.key),
  );
  const words: Value[] = [];
  const rows: Value[] = [];
  // The index gathers rows in memory while their ids ascend, and writes what it has before one that does not.
  for (const { record, search_id } of inSearchOrder(records)) {
    const { key, title, names, texts } = record;
    const digest = crc32(JSON.stringify([title, names, texts]));
    const before = known.get(key);
    if (before?.search_id === search_id && before.digest === digest) continue;
    if (before) {
      writer.run(`DELETE FROM ${kind}_words WHERE rowid = ?`, before.search_id);
      writer.run(`DELETE FROM ${kind}_search WHERE search_id = ?`, before.search_id);
    }
    const { encoded, columns } = wordColumns(record);
    words.push(search_id, columns.head, columns.body, columns.venue);
    rows.push(search_id, key, digest, encoded);
  }
  WORD_ROWS[kind].insert(writer, words);
  SEARCH_ROWS[kind].insert(writer, rows);
}

function inSearchOrder(records: readonly Searchable[]): { record: Searchable; search_id: number }[] {
  return records
    .map((record) => ({ record, search_id: searchIdOf(record.key, record.volume ?? 0) }))
    .sort((a, b) => a.search_id - b.search_id);
}

function findIndexed(reader: Reader, kind: SearchKind, keys: readonly number[]) {
  const rows = reader.all<{ record_key: number; search_id: number; digest: number }>(
    `SELECT record_key, search_id, digest FROM json_each(?) AS wanted
     CROSS JOIN ${kind}_search ON record_key = wanted.value`,
    JSON.stringify(keys),
  );
  return new Map(rows.map((each) => [each.record_key, each]));
}

/** The words of each column, each word once: where two columns have one, it is found in the first. */
function wordColumns({ title, names, texts, platform }: Searchable) {
  const pieces = piecesOf(title);
  const ordered = pieces.flatMap(({ parts }) => parts);
  const known = new Set(ordered);
  const inTitle = known.size;
  addWords(known, pieces);
  for (const name of names) if (name) addWords(known, piecesOf(name));
  const inHead = known.size;
  for (const text of texts) if (text) addWords(known, piecesOf(text));
  const words = [...known];
  const body = words.slice(inHead);
  return {
    encoded: encodeWords(ordered, words.slice(inTitle, inHead), body),
    columns: { head: words.slice(0, inHead).join(' '), body: body.join(' '), venue: venueWord(platform) },
  };
}

function addWords(words: Set<string>, pieces: readonly Piece[]): void {
  for (const { parts, joined } of pieces) {
    for (const part of parts) words.add(part);
    if (joined !== undefined) words.add(joined);
  }
}

/** The word that stands for a venue in the index. */
export function venueWord(platform: Platform): string {
  return platform.replace('_', '');
}

const BUCKETS = 63;
const KEYS = 2 ** 40;

/** Ascending: the more traded first, in steps of a power of two; the newer first within a step. */
function searchIdOf(key: number, volume: number): number {
  const step = Math.min(BUCKETS, Math.floor(Math.log2(1 + Math.max(0, volume))));
  return (BUCKETS - step) * KEYS + (KEYS - 1 - key);
}

/** The key of the record behind a search id. */
export function keyOfSearchId(searchId: number): number {
  return KEYS - 1 - (searchId % KEYS);
}

/** The same in SQL. */
export function keySql(searchId: string): string {
  return `(${KEYS - 1} - ${searchId} % ${KEYS})`;
}

/** How much the record behind a search id is traded, from 0 to 1. */
export function tradedShare(searchId: number): number {
  return 1 - Math.floor(searchId / KEYS) / BUCKETS;
}

/** Those of some search ids whose records can be among the `count` most traded: up to the step that the last of them is in. */
export function mostTraded(searchIds: readonly number[], count: number): readonly number[] {
  const last = Float64Array.from(searchIds).sort()[count - 1];
  if (last === undefined) return searchIds;
  const end = (Math.floor(last / KEYS) + 1) * KEYS;
  return searchIds.filter((searchId) => searchId < end);
}

/** Whether every text is in the index as these rules take it. */
export function isSearchReady(reader: Reader): boolean {
  return reader.value('SELECT rules FROM search_state') === RULES;
}

/** Builds the index anew, in transactions of some thousand rows; until the last, nothing can be searched. */
export function rebuildSearch(store: Store, progress: (done: number) => void = () => {}): void {
  store.write((writer) => {
    writer.run('UPDATE search_state SET rules = 0');
    for (const kind of ['market', 'event']) {
      writer.run(`INSERT INTO ${kind}_words (${kind}_words) VALUES ('delete-all')`);
      writer.run(`DELETE FROM ${kind}_search`);
    }
  });
  let done = 0;
  const inBatches = <Row>(
    sql: string,
    keyOf: (row: Row) => number,
    index: (writer: Writer, rows: ReadonlyMap<number, Row>) => void,
  ) => {
    let last = 0;
    for (;;) {
      const rows = store.write((writer) => {
        const batch = new Map(writer.all<Row>(sql, last, BATCH).map((row) => [keyOf(row), row]));
        index(writer, batch);
        return batch;
      });
      if (rows.size === 0) return;
      last = [...rows.keys()].at(-1) as number;
      done += rows.size;
      progress(done);
    }
  };
  inBatches<Loose<CatalogMarket> & { market_key: number }>(
    'SELECT * FROM markets WHERE market_key > ? ORDER BY market_key LIMIT ?',
    (row) => row.market_key,
    indexMarkets,
  );
  inBatches<Loose<CatalogEvent> & { event_key: number }>(
    'SELECT * FROM events WHERE event_key > ? ORDER BY event_key LIMIT ?',
    (row) => row.event_key,
    indexEvents,
  );
  store.write((writer) => {
    joinSearch(writer);
    writer.run('UPDATE search_state SET rules = ?', RULES);
  });
}

/**
 * Joins the parts that the index has grown in, each of which a search goes through, and drops what was replaced in
 * them. The whole index is written anew: about a second a million markets.
 */
export function joinSearch(writer: Writer): void {
  for (const kind of ['market', 'event'])
    writer.run(`INSERT INTO ${kind}_words (${kind}_words) VALUES ('optimize')`);
}
