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
import type { Store, Writer } from '../../store/store.ts';
import { compareWaiting } from './compare-texts.ts';
import { linkFilings } from './link-filings.ts';
import { loadDictionary } from './load-dictionary.ts';

export interface RelationReport {
  /** Texts that take part: those of settled markets do no more. */
  texts: number;
  /** Texts that are new or say something else. */
  read: number;
  /** Texts that were compared with all others. */
  compared: number;
  /** Texts that are to be compared in the next run, because this one had no more time. */
  waiting: number;
}

export interface RelationOptions {
  now: Instant;
  tables: SimilarityTables;
  floors: Config['relations']['floors'];
  /** What ingest has asked of texts besides; their words alone count when left out. */
  embeddings?: EmbeddingSettings | undefined;
  /** Asked between texts whether the time for them is over; never when left out. */
  isTimeUp?: () => boolean;
}

/** Grows when texts are read or compared in another way. */
const READING_VERSION = 6;

/** Rarity is weighed anew, and everything compared again, when there are so many times more or fewer texts. */
const REWEIGH_AT = 1.3;

/**
 * Brings neighbours up to date: reads the texts that are new or changed, compares them with all others, and lets
 * what is gone leave. What did not change is not looked at; a run that was cut off, or had no more time, is gone on with.
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
  const dictionary = store.read(loadDictionary);
  const filingsSince = publicFilingsSince(now);
  store.write((writer) => noteMovedFilings(writer, filingsSince));
  const { read, left } = followRecords(store, { tables, filingsSince }, dictionary);
  const texts = store.read(countTexts);
  const weighed = state?.reading === reading ? state.weighed_texts : 0;
  if (texts > 0 && (texts > weighed * REWEIGH_AT || texts < weighed / REWEIGH_AT))
    store.write((writer) => reweigh(writer, dictionary, reading, texts));
  if (meaning) store.write((writer) => compareEmbedded(writer, meaning.model));
  const compared =
    left || store.read(countWaiting) > 0
      ? compareWaiting(
          store,
          { dictionary, facets: tables.facets, floors: floorsOf(floors), meaning, left, isTimeUp },
          progress,
        )
      : 0;
  store.write(linkFilings);
  return { texts, read, compared, waiting: store.read(countWaiting) };
}

function floorsOf({ markets, news, filings }: RelationOptions['floors']): number[] {
  const own = new Map(Object.entries({ news, recent_filing: filings, older_filing: filings }));
  const floors: number[] = [];
  for (const [group, number] of Object.entries(TEXT_GROUPS)) floors[number] = own.get(group) ?? markets;
  return floors;
}

/** What following changed records found. */
interface Followed {
  /** Texts that were read. */
  read: number;
  /** Whether a text left that others may have had near. */
  left: boolean;
}

/** Compares the records that changed with the texts that are kept of them, some thousands in a transaction. */
function followRecords(
  store: Store,
  { tables, filingsSince }: { tables: SimilarityTables; filingsSince: string },
  dictionary: Dictionary,
): Followed {
  // Made when the first text is new: most runs have none.
  let reader: TextReader | undefined;
  const readAs = (text: RelatedText) => {
    reader ??= createTextReader(tables);
    return readText(reader, text);
  };
  const all: Followed = { read: 0, left: false };
  for (let isLast = false; !isLast; )
    store.write((writer) => {
      const records = eachRelationRecord(writer, 'next', filingsSince);
      const { read, left } = followNext(writer, records, readAs, dictionary);
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
  dictionary: Dictionary,
): Followed {
  const known = new Map<string, StoredText>();
  for (const text of eachTextToFollow(writer)) known.set(`${text.sort}|${text.record_id}`, text);
  let read = 0;
  let left = false;
  // A statement that writes cannot run while another one reads: what changes is gathered first.
  const changes: (() => void)[] = [];
  const firstNew = dictionary.terms.length;
  for (const { sort, record_id, group, text, at = null } of records) {
    const key = `${sort}|${record_id}`;
    const before = known.get(key);
    known.delete(key);
    const digest = textDigest(text);
    const text_group = TEXT_GROUPS[group];
    if (before && before.at === at && digest.equals(before.digest)) {
      if (before.text_group === text_group) continue;
      // One that trades again must be found again; one that stopped is passed over.
      const again = group !== 'not_trading';
      if (before.text_group !== TEXT_GROUPS.not_trading) left = true;
      changes.push(() => regroupText(writer, before.text_key, text_group, again));
      continue;
    }
    if (before) left = true;
    read++;
    const vector = dictionary.vectorOf(readAs(text));
    changes.push(() =>
      replaceText(writer, { sort, record_id, text_group, digest, at, ...vector }, before?.text_key),
    );
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
  for (const change of changes) change();
  insertTerms(writer, firstNew, dictionary.terms.slice(firstNew));
  return { read, left };
}

/** Weighs how rare terms are among the texts of now; all texts are compared once more. */
function reweigh(writer: Writer, dictionary: Dictionary, reading: string, texts: number): void {
  const holders = new Uint32Array(dictionary.terms.length);
  for (const { ids } of eachTextWithTerms(writer))
    for (const id of ids) holders[id] = (holders[id] as number) + 1;
  dictionary.weigh(texts, (id) => holders[id] as number);
  setHolders(writer, holders, reading, texts);
  compareAllAgain(writer);
}
