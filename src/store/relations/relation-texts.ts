import { type RelationSort, TEXT_GROUPS } from '../../model/relations.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader, Writer } from '../store.ts';
import { NEXT_CHANGED } from './relation-records.ts';

export interface StoredText {
  text_key: number;
  sort: RelationSort;
  record_id: string;
  text_group: number;
  digest: Buffer;
  /** As {@link RelationRecord.at}. */
  at: Instant | null;
}

/** The term numbers of a text, ascending, and the weight of each as a byte. */
export interface StoredTerms {
  ids: Uint32Array;
  weights: Uint8Array;
}

/** How the texts were last read, and in how many terms were counted when they were weighed; undefined before the first time. */
export function findRelationState(reader: Reader): { reading: string; weighed_texts: number } | undefined {
  return reader.get('SELECT reading, weighed_texts FROM relation_state');
}

/** The texts of rates and of the next batch of changed records, without terms. */
export function eachTextToFollow(reader: Reader): IterableIterator<StoredText> {
  const columns = 'text_key, sort, record_id, text_group, digest, at';
  return reader.iterate(
    `SELECT ${columns} FROM relation_texts WHERE sort = 'rate'
     UNION ALL SELECT ${columns} FROM ${NEXT_CHANGED} CROSS JOIN relation_texts USING (sort, record_id)`,
  );
}

/** SQL condition for texts that are compared: those of settled markets are not, and keep their neighbours. */
const TAKES_PART = `text_group <> ${TEXT_GROUPS.settled}`;

/**
 * The number of texts that are compared, and of those whose words count for how rare a word is: not those of rates, since
 * rarity shows in similarities that everybody sees, and some rates are for an organization alone. Cost: one pass over all
 * texts.
 */
export function countTexts(reader: Reader): { texts: number; counted: number } {
  const sql = `SELECT count(*) AS texts, count(*) FILTER (WHERE sort <> 'rate') AS counted
    FROM relation_texts WHERE ${TAKES_PART}`;
  return reader.get(sql) ?? { texts: 0, counted: 0 };
}

/** The number of texts that have yet to be compared. */
export function countWaiting(reader: Reader): number {
  return (
    reader.value<number>(`SELECT count(*) FROM relation_texts WHERE compared < 1 AND ${TAKES_PART}`) ?? 0
  );
}

/** Every text that is compared, with its terms, ordered by key. */
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

/** Why a text waits to be compared, by the `compared` column: because all texts do, or only this one. */
const WAITS = { '-1': 'all', 0: 'itself', 1: undefined } as const;

/** A text as far as it is needed for comparing, and why it waits; undefined when it does not. */
type ComparedText = Pick<StoredText, 'text_key' | 'sort' | 'text_group' | 'at'> & {
  waits: 'all' | 'itself' | undefined;
};

/** Every term in order of its number, from 0, with the number of counted texts that had it when terms were last weighed. */
export function eachTerm(reader: Reader): IterableIterator<{ term: string; holders: number }> {
  return reader.iterate('SELECT term, holders FROM relation_terms ORDER BY term_id');
}

/** Adds terms, numbered from `first` on. */
export function insertTerms(writer: Writer, first: number, terms: readonly string[]): void {
  for (const [i, term] of terms.entries())
    writer.run('INSERT INTO relation_terms (term_id, term, holders) VALUES (?, ?, 0)', first + i, term);
}

/** The id of the record that a text is of. */
export function findTextRecord(reader: Reader, textKey: number): string | undefined {
  return reader.value('SELECT record_id FROM relation_texts WHERE text_key = ?', textKey);
}

/** Adds a text that has yet to be compared. @param replaced key of the earlier text of its record, if any */
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

/** Removes a text with its neighbours. Reads skip it in the lists of other texts. */
export function removeText(writer: Writer, textKey: number): void {
  writer.run('DELETE FROM relation_texts WHERE text_key = ?', textKey);
  writer.run('DELETE FROM neighbours WHERE text_key = ?', textKey);
}

/** Moves a text to another group; its terms and neighbours stay. */
export function regroupText(writer: Writer, textKey: number, group: number, compareAgain: boolean): void {
  writer.run(
    'UPDATE relation_texts SET text_group = ?, compared = min(compared, ?) WHERE text_key = ?',
    group,
    compareAgain ? 0 : 1,
    textKey,
  );
}

/** Marks single texts to be compared again. */
export function compareAgain(writer: Writer, textKeys: readonly number[]): void {
  for (const key of textKeys)
    writer.run('UPDATE relation_texts SET compared = min(compared, 0) WHERE text_key = ?', key);
}

/** Marks all texts to be compared again, except those of settled markets. */
export function compareAllAgain(writer: Writer): void {
  writer.run(`UPDATE relation_texts SET compared = -1 WHERE ${TAKES_PART}`);
}

/** Marks a text as compared. */
export function markCompared(writer: Writer, textKey: number): void {
  writer.run('UPDATE relation_texts SET compared = 1 WHERE text_key = ?', textKey);
}

/** Stores how many texts have each term, and the state for {@link findRelationState}. */
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

/** Deletes every text, term and list, and marks all records as changed: the next comparison starts from scratch. */
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
