/** Ways to compare texts, ours and two plain ones, behind one face. */
import { Dictionary } from '../../src/methodology/similarity/dictionary.ts';
import { profileOf } from '../../src/methodology/similarity/profile.ts';
import { readText } from '../../src/methodology/similarity/read-text.ts';
import { type Comparable, compareTexts } from '../../src/methodology/similarity/similarity.ts';
import { createTextReader } from '../../src/methodology/similarity/text-reader.ts';
import type { RelatedText } from '../../src/model/related-text.ts';
import { readSimilarityTables } from '../../src/store/similarity-tables.ts';

/** Scores any two texts of a pool, by their places in it. */
type Scorer = (a: number, b: number) => number;

export interface Method {
  name: string;
  /** Makes the scorer of a pool; rarity of words is that of the pool. */
  open(pool: readonly RelatedText[]): Scorer;
}

export const tables = readSimilarityTables();

const ours: Method = {
  name: 'foremark',
  open(pool) {
    const all = comparables(pool);
    return (a, b) => compareTexts(all[a] as Comparable, all[b] as Comparable, tables.facets).similarity;
  },
};

/** The pool as our method reads it. */
export function comparables(pool: readonly RelatedText[]): Comparable[] {
  const reader = createTextReader(tables);
  const dictionary = new Dictionary();
  const vectors = pool.map((each) => dictionary.vectorOf(readText(reader, each)));
  const holders = new Uint32Array(dictionary.terms.length);
  for (const { ids } of vectors) for (const id of ids) holders[id] = (holders[id] as number) + 1;
  dictionary.weigh(pool.length, (id) => holders[id] as number);
  return vectors.map((vector) => {
    const values = dictionary.normalised(vector);
    return { ids: vector.ids, values, profile: profileOf(dictionary, vector.ids, values) };
  });
}

function plainWords({ text, outcome }: RelatedText): string[] {
  return `${text} ${outcome ?? ''}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function count(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function holdersOf(all: readonly Map<string, number>[]): Map<string, number> {
  return count(all.flatMap((counts) => [...counts.keys()]));
}

const tfIdf: Method = {
  name: 'TF-IDF',
  open(pool) {
    const all = pool.map((each) => count(plainWords(each)));
    const holders = holdersOf(all);
    const vectors = all.map((counts) => {
      const entries = [...counts].map(
        ([word, times]) =>
          [word, (1 + Math.log(times)) * Math.log(1 + pool.length / (holders.get(word) ?? 1))] as const,
      );
      const length = Math.hypot(...entries.map((entry) => entry[1])) || 1;
      return new Map(entries.map(([word, value]) => [word, value / length]));
    });
    return (a, b) => {
      let sum = 0;
      for (const [word, value] of vectors[a] ?? []) sum += value * (vectors[b]?.get(word) ?? 0);
      return sum;
    };
  },
};

/** Okapi BM25 with k1 = 1.2, b = 0.75. */
const bm25: Method = {
  name: 'BM25',
  open(pool) {
    const all = pool.map((each) => count(plainWords(each)));
    const holders = holdersOf(all);
    const lengths = all.map((counts) => [...counts.values()].reduce((sum, each) => sum + each, 0));
    const mean = lengths.reduce((sum, each) => sum + each, 0) / Math.max(1, pool.length);
    return (a, b) => {
      let sum = 0;
      for (const word of all[a]?.keys() ?? []) {
        const times = all[b]?.get(word) ?? 0;
        if (times === 0) continue;
        const held = holders.get(word) ?? 0;
        const idf = Math.log(1 + (pool.length - held + 0.5) / (held + 0.5));
        sum += (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * (lengths[b] ?? 0)) / mean));
      }
      return sum;
    };
  },
};

export const METHODS: readonly Method[] = [ours, tfIdf, bm25];
