import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listSortedMatches } from '../../../src/store/catalog/market-lists.ts';
import { listMatches, listMatchIds, MOST_MATCHES } from '../../../src/store/catalog/search.ts';
import { keyOfSearchId } from '../../../src/store/catalog/search-index.ts';
import { piecesOf } from '../../../src/store/catalog/search-words.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { rounds } from '../../helpers/rounds.ts';
import { put } from '../../helpers/small-store.ts';

const ROWS = 12_000;
/** So many stand first, and hold nothing of what the others do. */
const FIRST = 1_100;
const BLOCK = 1_000;
const DIVISORS = [2, 3, 7, 11, 101, 1009];

/** Words by where they stand: some in titles, some in descriptions, some in either. */
function textsOf(i: number): { question: string; description?: string } {
  if (i >= ROWS - FIRST) return { question: `first Row-${i}` };
  const divided = DIVISORS.filter((each) => i % each === 0).map((each) => `by${each}`);
  const left = DIVISORS.filter((each) => i % each === 1).map((each) => `by${each} left${each}`);
  const question = `${i === 5 ? 'first' : ''} both together Row-${i} ${divided.join(' ')}`;
  return left.length > 0 ? { question, description: `Above all ${left.join('. ')}` } : { question };
}

const WORDS = ['first', 'both', 'together', 'row', 'row-77', 'row77', 'left2', 'left7', 'above', 'nowhere'];
const ASKED = [...WORDS, ...DIVISORS.map((each) => `by${each}`)];

let store: Store;
const keys: number[] = [];
/** Words by row: those of its names, and all. */
let words: { names: Set<string>; all: Set<string> }[];
beforeAll(() => {
  store = openStore(':memory:');
  // Volumes rise with keys: what stands last was put in first.
  store.write(() => {
    for (let i = 0; i < ROWS; i++)
      put(store, { market_id: `venue_a:${i}`, slug: `s${i}`, volume: i, ...textsOf(i) });
  });
  const sql = 'SELECT market_key FROM markets ORDER BY market_key';
  words = Array.from({ length: ROWS }, (_, i) => {
    const { question, description } = textsOf(i);
    const names = wordsOf(question, `s${i}`, `${i}`);
    return { names, all: names.union(wordsOf(description)) };
  });
  keys.push(...store.read((reader) => reader.all<{ market_key: number }>(sql)).map((row) => row.market_key));
});
afterAll(() => store.close());

function wordsOf(...texts: (string | undefined)[]): Set<string> {
  const pieces = texts.flatMap((text) => piecesOf(text ?? ''));
  return new Set(pieces.flatMap(({ parts, joined = '' }) => [...parts, joined]));
}

/** What is to be found, the most traded first: by title, slug or ticker, then by the description too. */
function expected(text: string): { head: number[]; rest: number[] } {
  const pieces = piecesOf(text);
  const head: number[] = [];
  const rest: number[] = [];
  const holds = (held: Set<string>) =>
    pieces.every(
      ({ parts, joined }) =>
        parts.every((part) => held.has(part)) || (joined !== undefined && held.has(joined)),
    );
  for (let i = ROWS - 1; i >= 0; i--) {
    const { names, all } = words[i] as (typeof words)[number];
    if (holds(names)) head.push(keys[i] as number);
    else if (holds(all)) rest.push(keys[i] as number);
  }
  return { head, rest };
}

/** In sets of as many as are ranked among each other. */
function inBlocks(found: readonly number[]): Set<number>[] {
  const blocks = Array.from({ length: Math.ceil(found.length / BLOCK) }, (_, i) => i * BLOCK);
  return blocks.map((start) => new Set(found.slice(start, start + BLOCK)));
}

function check(text: string): void {
  const { head, rest } = expected(text);
  const wanted = [...head, ...rest].slice(0, MOST_MATCHES);
  const found: number[] = [];
  store.read((reader) => {
    const query = { text, filter: {} };
    for (let has_next = true; has_next; ) {
      const page = listMatches(reader, 'market', query, { limit: 500, offset: found.length });
      found.push(...page.keys);
      ({ has_next } = page);
    }
    const byKey = (a: number, b: number) => a - b;
    const ascending = wanted.toSorted(byKey);
    expect(listMatchIds(reader, 'market', query).map(keyOfSearchId).sort(byKey)).toEqual(ascending);
    // The more a row is traded, the higher is its key.
    for (const offset of [0, Math.max(0, wanted.length - 20)]) {
      const order = { sort: 'volume', direction: 'desc' } as const;
      const { rows, total } = listSortedMatches(reader, text, {}, order, { limit: 30, offset });
      expect(total).toBe(wanted.length);
      expect(rows.map((row) => row.market_key)).toEqual(ascending.toReversed().slice(offset, offset + 30));
    }
  });
  const heads = Math.min(head.length, MOST_MATCHES);
  expect(inBlocks(found.slice(0, heads))).toEqual(inBlocks(wanted.slice(0, heads)));
  const inFirst = heads % BLOCK === 0 ? 0 : BLOCK - (heads % BLOCK);
  const [late, lateWanted] = [found.slice(heads), wanted.slice(heads)];
  expect(new Set(late.slice(0, inFirst))).toEqual(new Set(lateWanted.slice(0, inFirst)));
  expect(inBlocks(late.slice(inFirst))).toEqual(inBlocks(lateWanted.slice(inFirst)));
}

it('[4.1/1] a search finds each row that holds every word once, matches in names first, most traded first', () => {
  const queries = fc.uniqueArray(fc.constantFrom(...ASKED), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(queries, (asked) => check(asked.join(' '))),
    { numRuns: rounds(30) },
  );
});

it('[4.1/1] words that are common apart but rarely occur together are found together all the same', () => {
  for (const text of ['both together first', 'first together both row', 'both together first by2'])
    check(text);
});
