import type { Dictionary } from '../../methodology/similarity/dictionary.ts';
import { profileOf } from '../../methodology/similarity/profile.ts';
import { readText } from '../../methodology/similarity/read-text.ts';
import {
  type Difference,
  differencesOf,
  pairConfidence,
} from '../../methodology/similarity/same-question.ts';
import { type Comparable, compareTexts, type Facets } from '../../methodology/similarity/similarity.ts';
import { createTextReader, type TextReader } from '../../methodology/similarity/text-reader.ts';
import { PLATFORMS, type Platform } from '../../model/platform.ts';
import type { SimilarityTables } from '../../model/similarity-tables.ts';
import { findMarket, type MarketRow } from '../../store/catalog/catalog.ts';
import { listNearRecords } from '../../store/relations/neighbours.ts';
import { eachRelationRecord, marketText } from '../../store/relations/relation-records.ts';
import type { Reader } from '../../store/store.ts';
import { loadDictionary } from './load-dictionary.ts';

/** Two contracts on different venues that ask the same question. */
export interface QuestionPair {
  markets: [MarketRow, MarketRow];
  similarity: number;
  /** 0 to 1. */
  confidence: number;
  differs: Difference[];
}

/** Neighbours compared at each venue: the best, and the runner-up that it must clearly beat. */
const LOOKED_AT = 2;

/**
 * Pairs of active markets on different venues that are each other's nearest neighbour there, most certain first.
 *
 * @param least smallest confidence to list
 */
export function pairQuestions(reader: Reader, tables: SimilarityTables, least: number): QuestionPair[] {
  const dictionary = loadDictionary(reader);
  const texts = { reader: createTextReader(tables), dictionary, facets: tables.facets };
  const pairs: QuestionPair[] = [];
  for (const { sort, record_id, group } of eachRelationRecord(reader)) {
    if (sort !== 'market' || !isPlatform(group)) continue;
    for (const venue of PLATFORMS.slice(PLATFORMS.indexOf(group) + 1)) {
      const pair = pairOf(reader, texts, record_id, group, venue);
      if (pair && pair.confidence >= least) pairs.push(pair);
    }
  }
  return pairs.sort((a, b) => b.confidence - a.confidence);
}

/** How questions are read and compared. */
interface Texts {
  reader: TextReader;
  dictionary: Dictionary;
  facets: Facets;
}

function isPlatform(group: string): group is Platform {
  return PLATFORMS.some((each) => each === group);
}

function pairOf(
  reader: Reader,
  texts: Texts,
  id: string,
  own: Platform,
  venue: Platform,
): QuestionPair | undefined {
  const near = (record_id: string, group: Platform) =>
    listNearRecords(reader, { sort: 'market', record_id }, group, LOOKED_AT);
  const [best, second] = near(id, venue);
  if (!best) return undefined;
  const [back, backSecond] = near(best.record_id, own);
  if (back?.record_id !== id) return undefined;
  const a = findMarket(reader, id);
  const b = findMarket(reader, best.record_id);
  if (!a || !b) return undefined;
  const comparison = compareTexts(comparable(reader, texts, a), comparable(reader, texts, b), texts.facets);
  const differs = differencesOf(comparison, termsOf(a), termsOf(b));
  const runnerUp = Math.max(second?.similarity ?? 0, backSecond?.similarity ?? 0);
  const confidence = pairConfidence(best.similarity, runnerUp, differs.length);
  return { markets: [a, b], similarity: best.similarity, confidence, differs };
}

function comparable(reader: Reader, texts: Texts, market: MarketRow): Comparable {
  const vector = texts.dictionary.vectorOf(readText(texts.reader, marketText(reader, market)));
  const values = texts.dictionary.normalised(vector);
  return { ids: vector.ids, values, profile: profileOf(texts.dictionary, vector.ids, values) };
}

function termsOf({ closes_at, description, rules_primary }: MarketRow) {
  const rules = [rules_primary, description].filter((each) => each !== null).join('\n');
  return { rules, ...(closes_at === null ? {} : { closes_at }) };
}
