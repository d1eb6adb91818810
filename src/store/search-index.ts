/**
 * The search index: the words of every market and event, kept up to date row by row as the catalog is written,
 * or built anew. Rows are numbered so that the most traded come first, by powers of two of their volume.
 */
import { crc32 } from 'node:zlib';
import type { CatalogEvent, CatalogMarket } from '../model/catalog.ts';
import { type Platform, platformOf } from '../model/platform.ts';
import type { EventRow, MarketRow } from './catalog.ts';
import { encodeWords } from './search-record.ts';
import { type Piece, piecesOf } from './search-words.ts';
import type { Reader, Store, Writer } from './store.ts';

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

/** Puts a market's texts into the index, or brings them up to date. */
export function indexMarket(writer: Writer, key: number, market: Loose<CatalogMarket>): void {
  indexRecord(writer, 'market', searchableMarket(key, market));
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

/** Puts an event's texts into the index, or brings them up to date. */
export function indexEvent(writer: Writer, key: number, event: Loose<CatalogEvent>): void {
  indexRecord(writer, 'event', searchableEvent(key, event));
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

function indexRecord(writer: Writer, kind: SearchKind, record: Searchable): void {
  const search_id = searchIdOf(record.key, record.volume ?? 0);
  const { title, names, texts } = record;
  const digest = crc32(JSON.stringify([title, names, texts]));
  const known = writer.get<{ search_id: number; digest: number }>(
    `SELECT search_id, digest FROM ${kind}_search WHERE record_key = ?`,
    record.key,
  );
  if (known?.search_id === search_id && known.digest === digest) return;
  if (known) {
    writer.run(`DELETE FROM ${kind}_words WHERE rowid = ?`, known.search_id);
    writer.run(`DELETE FROM ${kind}_search WHERE search_id = ?`, known.search_id);
  }
  const { words, columns } = wordColumns(record);
  writer.run(
    `INSERT INTO ${kind}_words (rowid, head, body, venue) VALUES (@search_id, @head, @body, @venue)`,
    { search_id, ...columns },
  );
  writer.run(
    `INSERT INTO ${kind}_search (search_id, record_key, digest, words) VALUES (?, ?, ?, ?)`,
    search_id,
    record.key,
    digest,
    words,
  );
}

function wordColumns({ title, names, texts, platform }: Searchable) {
  const pieces = piecesOf(title);
  const head = new Set<string>();
  const body = new Set<string>();
  addWords(head, pieces);
  for (const name of names) if (name) addWords(head, piecesOf(name));
  for (const text of texts) if (text) addWords(body, piecesOf(text));
  const columns = { head: [...head].join(' '), body: [...body].join(' '), venue: venueWord(platform) };
  const ordered = pieces.flatMap(({ parts }) => parts);
  return { words: encodeWords(ordered, head, body), columns };
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

/** Whether every text is in the index as these rules take it. */
export function isSearchReady(reader: Reader): boolean {
  return reader.get<{ rules: number }>('SELECT rules FROM search_state')?.rules === RULES;
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
    index: (writer: Writer, row: Row) => void,
  ) => {
    let last = 0;
    for (;;) {
      const rows = store.write((writer) => {
        const batch = writer.all<Row>(sql, last, BATCH);
        for (const row of batch) index(writer, row);
        return batch;
      });
      const end = rows.at(-1);
      if (end === undefined) return;
      last = keyOf(end);
      done += rows.length;
      progress(done);
    }
  };
  inBatches<MarketRow>(
    'SELECT * FROM markets WHERE market_key > ? ORDER BY market_key LIMIT ?',
    (row) => row.market_key,
    (writer, row) => indexMarket(writer, row.market_key, row),
  );
  inBatches<EventRow>(
    'SELECT * FROM events WHERE event_key > ? ORDER BY event_key LIMIT ?',
    (row) => row.event_key,
    (writer, row) => indexEvent(writer, row.event_key, row),
  );
  store.write((writer) => writer.run('UPDATE search_state SET rules = ?', RULES));
}
