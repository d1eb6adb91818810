import { hash } from 'node:crypto';
import type { Dictionary } from '../../methodology/similarity/dictionary.ts';
import { readText } from '../../methodology/similarity/read-text.ts';
import type { Reading } from '../../methodology/similarity/reading.ts';
import { createTextReader, type TextReader } from '../../methodology/similarity/text-reader.ts';
import type { Config } from '../../model/config.ts';
import type { Progress } from '../../model/effects.ts';
import { type EmbeddingSettings, embeddingModel } from '../../model/embedding.ts';
import { publicFilingsSince } from '../../model/filing.ts';
import type { RelatedText } from '../../model/related-text.ts';
import { type RelationRecord, TEXT_GROUPS } from '../../model/relations.ts';
import type { SimilarityTables } from '../../model/similarity-tables.ts';
import type { Instant } from '../../model/units.ts';
import {
  eachRelationRecord,
  noteMovedFilings,
  passNextChanged,
  textDigest,
} from '../../store/relations/relation-records.ts';
import {
  clearRelations,
  compareAllAgain,
  countTexts,
  countWaiting,
  eachTextToFollow,
  eachTextWithTerms,
  findRelationState,
  insertTerms,
  regroupText,
  removeText,
  replaceText,
  type StoredText,
  setHolders,
} from '../../store/relations/relation-texts.ts';
import { compareEmbedded } from '../../store/relations/text-embeddings.ts';
import type { Reader, Store, Writer } from '../../store/store.ts';
import { compareWaiting } from './compare-texts.ts';
import { linkFilings } from './link-filings.ts';
import { loadDictionary } from './load-dictionary.ts';

export interface RelationReport {
  /** Texts kept, without those of settled markets. */
  texts: number;
  /** Texts that are new or changed. */
  read: number;
  /** Texts that were compared with all others. */
  compared: number;
  /** Texts left to the next run because this one ran out of time. */
  waiting: number;
}

export interface RelationOptions {
  now: Instant;
  tables: SimilarityTables;
  floors: Config['relations']['floors'];
  /** The embeddings that ingest has fetched; if omitted, only words count. */
  embeddings?: EmbeddingSettings | undefined;
  /** Checked between batches; if omitted, there is no time limit. */
  isTimeUp?: () => boolean;
}

/** Increment when texts are read or compared in another way. */
const READING_VERSION = 10;

/** When the number of counted texts changes by this factor, rarity is weighed again and everything is compared again. */
const REWEIGH_AT = 1.3;

/**
 * Updates the lists of neighbours: reads new and changed texts, compares them with all others, and removes texts whose
 * records are gone. Unchanged texts are skipped; a run that was interrupted or ran out of time is continued by the
 * next.
 */
export function relate(
  store: Store,
  { now, tables, floors, embeddings, isTimeUp = () => false }: RelationOptions,
  progress: Progress,
): RelationReport {
  const meaning = embeddings && { model: embeddingModel(embeddings), weight: embeddings.weight };
  const read_with = [READING_VERSION, tables, floors, ...(meaning ? [meaning] : [])];
  const reading = hash('sha256', JSON.stringify(read_with));
  const state = store.read(findRelationState);
  if (state && state.reading !== reading) store.write(clearRelations);
  const dictionaryIn = onceLoaded();
  const filingsSince = publicFilingsSince(now);
  store.write((writer) => noteMovedFilings(writer, filingsSince));
  const { read, left } = followRecords(store, { tables, filingsSince }, dictionaryIn);
  const { texts, counted } = store.read(countTexts);
  const weighed = state?.reading === reading ? state.weighed_texts : undefined;
  const isFar = weighed === undefined || counted > weighed * REWEIGH_AT || counted < weighed / REWEIGH_AT;
  if (texts > 0 && isFar) store.write((writer) => reweigh(writer, dictionaryIn(writer), reading, counted));
  if (meaning) store.write((writer) => compareEmbedded(writer, meaning.model));
  const compared =
    left || store.read(countWaiting) > 0
      ? compareWaiting(
          store,
          {
            dictionary: store.read(dictionaryIn),
            facets: tables.facets,
            floors: floorsOf(floors),
            meaning,
            left,
            isTimeUp,
          },
          progress,
        )
      : 0;
  store.write(linkFilings);
  return { texts, read, compared, waiting: store.read(countWaiting) };
}

/** Loads the dictionary at its first use, since most runs have no text to read or compare. */
function onceLoaded(): (reader: Reader) => Dictionary {
  let loaded: Dictionary | undefined;
  return (reader) => (loaded ??= loadDictionary(reader));
}

function floorsOf({ markets, news, filings }: RelationOptions['floors']): number[] {
  const own = new Map(Object.entries({ news, recent_filing: filings, older_filing: filings }));
  const floors: number[] = [];
  for (const [group, number] of Object.entries(TEXT_GROUPS)) floors[number] = own.get(group) ?? markets;
  return floors;
}

/** The result of processing changed records. */
interface Followed {
  read: number;
  /** Whether a text was removed that may be in other texts' lists. */
  left: boolean;
}

/** Brings the stored texts up to date with changed records, some thousands in a transaction. */
function followRecords(
  store: Store,
  { tables, filingsSince }: { tables: SimilarityTables; filingsSince: string },
  dictionaryIn: (reader: Reader) => Dictionary,
): Followed {
  // Created at the first new text: most runs have none.
  let reader: TextReader | undefined;
  const readAs = (text: RelatedText) => {
    reader ??= createTextReader(tables);
    return readText(reader, text);
  };
  const all: Followed = { read: 0, left: false };
  for (let isLast = false; !isLast; )
    store.write((writer) => {
      const records = eachRelationRecord(writer, 'next', filingsSince);
      const { read, left } = followNext(writer, records, readAs, dictionaryIn);
      all.read += read;
      all.left ||= left;
      isLast = !passNextChanged(writer);
    });
  return all;
}

function followNext(
  writer: Writer,
  records: Iterable<RelationRecord>,
  readAs: (text: RelatedText) => Reading,
  dictionaryIn: (reader: Reader) => Dictionary,
): Followed {
  const known = new Map<string, StoredText>();
  for (const text of eachTextToFollow(writer)) known.set(`${text.sort}|${text.record_id}`, text);
  let read = 0;
  let left = false;
  // The store cannot be written while a query is being iterated, so changes are collected first.
  const changes: (() => void)[] = [];
  for (const { sort, record_id, group, text, at = null } of records) {
    const key = `${sort}|${record_id}`;
    const before = known.get(key);
    known.delete(key);
    const digest = textDigest(text);
    const text_group = TEXT_GROUPS[group];
    if (before && before.at === at && digest.equals(before.digest)) {
      if (before.text_group === text_group) continue;
      // A market that trades again must be compared again; one that has stopped need not be.
      const again = group !== 'not_trading';
      if (before.text_group !== TEXT_GROUPS.not_trading) left = true;
      changes.push(() => regroupText(writer, before.text_key, text_group, again));
      continue;
    }
    if (before) left = true;
    read++;
    const reading = readAs(text);
    changes.push(() => {
      const vector = dictionaryIn(writer).vectorOf(reading);
      replaceText(writer, { sort, record_id, text_group, digest, at, ...vector }, before?.text_key);
    });
  }
  for (const text of known.values()) {
    if (text.text_group === TEXT_GROUPS.settled) continue;
    left = true;
    changes.push(() =>
      text.sort === 'market'
        ? regroupText(writer, text.text_key, TEXT_GROUPS.settled, false)
        : removeText(writer, text.text_key),
    );
  }
  const firstNew = read > 0 ? dictionaryIn(writer).terms.length : 0;
  for (const change of changes) change();
  if (read > 0) insertTerms(writer, firstNew, dictionaryIn(writer).terms.slice(firstNew));
  return { read, left };
}

/** Weighs the rarity of terms among the present texts but rates, and marks all texts to be compared again. */
function reweigh(writer: Writer, dictionary: Dictionary, reading: string, texts: number): void {
  const holders = new Uint32Array(dictionary.terms.length);
  for (const { sort, ids } of eachTextWithTerms(writer))
    if (sort !== 'rate') for (const id of ids) holders[id] = (holders[id] as number) + 1;
  dictionary.weigh(texts, (id) => holders[id] as number);
  setHolders(writer, holders, reading, texts);
  compareAllAgain(writer);
}
