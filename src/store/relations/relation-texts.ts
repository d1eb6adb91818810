import { type RelationSort, TEXT_GROUPS } from '../../model/relations.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader, Writer } from '../store.ts';
import { NEXT_CHANGED } from './relation-records.ts';

/** A text as the store keeps it. */
export interface StoredText {
  text_key: number;
  sort: RelationSort;
  record_id: string;
  text_group: number;
  digest: Buffer;
  /** As {@link RelationRecord.at}. */
  at: Instant | null;
}

/** Terms of a text, ascending, with their weights as bytes. */
export interface StoredTerms {
  ids: Uint32Array;
  weights: Uint8Array;
}

/** What the texts were last read and weighed with; undefined before the first time. */
export function findRelationState(reader: Reader): { reading: string; weighed_texts: number } | undefined {
  return reader.get('SELECT reading, weighed_texts FROM relation_state');
}

/** The texts of rates and of the next of the changed records, terms left out. */
export function eachTextToFollow(reader: Reader): IterableIterator<StoredText> {
  const columns = 'text_key, sort, record_id, text_group, digest, at';
  return reader.iterate(
    `SELECT ${columns} FROM relation_texts WHERE sort = 'rate'
     UNION ALL SELECT ${columns} FROM ${NEXT_CHANGED} CROSS JOIN relation_texts USING (sort, record_id)`,
  );
}

/** Those that are compared; what a settled market is near to stays as it was. */
const TAKES_PART = `text_group <> ${TEXT_GROUPS.settled}`;

/** Number of texts that take part in comparing. Reads every text. */
export function countTexts(reader: Reader): number {
  return reader.value<number>(`SELECT count(*) FROM relation_texts WHERE ${TAKES_PART}`) ?? 0;
}

/** How many of the texts that take part have not been compared yet. */
export function countWaiting(reader: Reader): number {
  return (
    reader.value<number>(`SELECT count(*) FROM relation_texts WHERE compared < 1 AND ${TAKES_PART}`) ?? 0
  );
}

/** Every text that takes part, with its terms, in order of the keys. */
export function* eachTextWithTerms(reader: Reader): Generator<ComparedText & StoredTerms> {
  const rows = reader.iterate<
    Omit<ComparedText, 'waits'> & { compared: keyof typeof WAITS; ids: Buffer; weights: Buffer }
  >(
    `SELECT text_key, sort, text_group, at, compared, term_ids AS ids, weights FROM relation_texts
     WHERE ${TAKES_PART} ORDER BY text_key`,
  );
  for (const { text_key, sort, text_group, at, compared, ids, weights } of rows)
    yield { text_key, sort, text_group, at, waits: WAITS[compared], ids: toIds(ids), weights };
}

/** How a text waits to be compared with all others, by what its row says: as one of all, or by itself. */
const WAITS = { '-1': 'all', 0: 'itself', 1: undefined } as const;

/** A text as it is compared with others. */
type ComparedText = Pick<StoredText, 'text_key' | 'sort' | 'text_group' | 'at'> & {
  waits: 'all' | 'itself' | undefined;
};

/** Every term in order of its number, from 0, with the texts that held it when rarity was weighed. */
export function eachTerm(reader: Reader): IterableIterator<{ term: string; holders: number }> {
  return reader.iterate('SELECT term, holders FROM relation_terms ORDER BY term_id');
}

/** Adds terms with the numbers from `first` on. */
export function insertTerms(writer: Writer, first: number, terms: readonly string[]): void {
  for (const [i, term] of terms.entries())
    writer.run('INSERT INTO relation_terms (term_id, term, holders) VALUES (?, ?, 0)', first + i, term);
}

/** Adds a text that has yet to be compared, in place of the one that its record had. */
export function replaceText(
  writer: Writer,
  text: Omit<StoredText, 'text_key'> & StoredTerms,
  replaced: number | undefined,
): void {
  if (replaced !== undefined) removeText(writer, replaced);
  const { sort, record_id, text_group, digest, at, ids, weights } = text;
  writer.run(
    `INSERT INTO relation_texts (sort, record_id, text_group, digest, at, term_ids, weights)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    sort,
    record_id,
    text_group,
    digest,
    at,
    Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength),
    weights,
  );
}

/** Takes a text away with its neighbours; other lists that still name it are read without it. */
export function removeText(writer: Writer, textKey: number): void {
  writer.run('DELETE FROM relation_texts WHERE text_key = ?', textKey);
  writer.run('DELETE FROM neighbours WHERE text_key = ?', textKey);
}

/** Moves a text to another group; its terms and its neighbours stay. */
export function regroupText(writer: Writer, textKey: number, group: number, compareAgain: boolean): void {
  writer.run(
    'UPDATE relation_texts SET text_group = ?, compared = min(compared, ?) WHERE text_key = ?',
    group,
    compareAgain ? 0 : 1,
    textKey,
  );
}

/** Lets some texts be compared once more, each by itself. */
export function compareAgain(writer: Writer, textKeys: readonly number[]): void {
  for (const key of textKeys)
    writer.run('UPDATE relation_texts SET compared = min(compared, 0) WHERE text_key = ?', key);
}

/** Lets all texts that take part be compared once more. */
export function compareAllAgain(writer: Writer): void {
  writer.run(`UPDATE relation_texts SET compared = -1 WHERE ${TAKES_PART}`);
}

/** Notes that a text has been compared. */
export function markCompared(writer: Writer, textKey: number): void {
  writer.run('UPDATE relation_texts SET compared = 1 WHERE text_key = ?', textKey);
}

/** Sets how many texts hold each term. */
export function setHolders(writer: Writer, holders: Uint32Array, reading: string, texts: number): void {
  for (const [id, count] of holders.entries())
    writer.run('UPDATE relation_terms SET holders = ? WHERE term_id = ? AND holders <> ?', count, id, count);
  writer.run(
    `INSERT INTO relation_state (only, reading, weighed_texts) VALUES (1, ?, ?)
     ON CONFLICT (only) DO UPDATE SET reading = excluded.reading, weighed_texts = excluded.weighed_texts`,
    reading,
    texts,
  );
}

/** Takes every text, term and list away: the next comparison begins anew. */
export function clearRelations(writer: Writer): void {
  for (const table of ['neighbours', 'relation_texts', 'relation_terms', 'relation_state', 'changed_texts'])
    writer.run(`DELETE FROM ${table}`);
  writer.run(
    `INSERT INTO changed_texts (sort, record_id)
     SELECT 'market', market_id FROM markets
     UNION ALL SELECT 'filing', filing_id FROM filings
     UNION ALL SELECT 'news', news_id FROM news_articles`,
  );
}

function toIds(blob: Buffer): Uint32Array {
  return new Uint32Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength));
}
