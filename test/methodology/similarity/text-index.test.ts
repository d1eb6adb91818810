import { describe, expect, it } from 'vitest';
import { Dictionary } from '../../../src/methodology/similarity/dictionary.ts';
import { ForwardArray } from '../../../src/methodology/similarity/forward-array.ts';
import { readText } from '../../../src/methodology/similarity/read-text.ts';
import { type Comparable, compareTexts } from '../../../src/methodology/similarity/similarity.ts';
import { SEARCH, TextIndex } from '../../../src/methodology/similarity/text-index.ts';
import { createTextReader } from '../../../src/methodology/similarity/text-reader.ts';
import { comparables, tables } from '../../quality/methods.ts';
import { rewordedSet } from '../../quality/reworded.ts';

const { pool } = rewordedSet();
const groups = Uint8Array.from(pool, (_, i) => i % 3);
const reader = createTextReader(tables);
const dictionary = new Dictionary();
const vectors = pool.map((each) => dictionary.vectorOf(readText(reader, each)));
const holders = new Uint32Array(dictionary.terms.length);
for (const { ids } of vectors) for (const id of ids) holders[id] = (holders[id] as number) + 1;
dictionary.weigh(pool.length, (id) => holders[id] as number);
const texts = new ForwardArray();
for (const [i, vector] of vectors.entries()) texts.add(vector, groups[i] as number);
const index = new TextIndex(texts, { dictionary, facets: tables.facets });
const ALL = {
  keep: 5,
  budget: Number.POSITIVE_INFINITY,
  candidates: 1000,
  compared: 1000,
  floors: [0.2, 0.2, 0.2],
};

const USUAL = { ...SEARCH, floors: ALL.floors };

describe('the index of texts', () => {
  it('[C/3] finds exactly the nearest of each group when nothing is cut off', () => {
    const all = comparables(pool);
    for (let text = 0; text < pool.length; text++) {
      const found = index.search(text, 0b101, ALL);
      expect([...found.keys()].every((group) => group === 0 || group === 2)).toBe(true);
      for (const group of [0, 2]) {
        const expected = [...pool.keys()]
          .filter((other) => other !== text && groups[other] === group)
          .map(
            (other) =>
              compareTexts(all[text] as Comparable, all[other] as Comparable, tables.facets).similarity,
          )
          .filter((similarity) => similarity >= 0.2)
          .sort((a, b) => b - a)
          .slice(0, 5);
        const similarities = (found.get(group) ?? []).map((each) => each.similarity);
        expect(similarities.length, pool[text]?.text).toBe(expected.length);
        for (const [i, similarity] of similarities.entries())
          expect(similarity).toBeCloseTo(expected[i] as number, 5);
      }
    }
  });

  it('finds the same first neighbour with the usual limits, and repeatably', () => {
    for (let text = 0; text < pool.length; text++) {
      const exact = index.search(text, 0b111, ALL);
      const usual = index.search(text, 0b111, USUAL);
      for (const [group, [first]] of exact) if (first) expect(usual.get(group)?.[0]).toEqual(first);
      expect(index.search(text, 0b111, USUAL)).toEqual(usual);
    }
  });

  it('reads the same of equally rare terms within its budget, whichever text came first', () => {
    const asked = 'walrus zebra';
    const nearest = (order: readonly string[]) => {
      const dictionary = new Dictionary();
      const texts = new ForwardArray();
      for (const text of order) texts.add(dictionary.vectorOf(readText(reader, { text })), 0);
      dictionary.weigh(order.length, () => 2);
      const index = new TextIndex(texts, { dictionary, facets: tables.facets });
      const found = index.nearest(order.indexOf(asked), 1, { budget: 3, candidates: 5 }).get(0) ?? [];
      return found.map(([text]) => order[text]);
    };
    for (const order of [
      [asked, 'walrus', 'zebra'],
      ['zebra', 'walrus', asked],
    ])
      expect(nearest(order)).toEqual(['walrus']);
  });
});
