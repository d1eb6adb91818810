import { getOrInsert } from '../../model/memoized.ts';
import type { NameKind, SimilarityTables } from '../../model/similarity-tables.ts';
import { plain, singular, splitWords, type Word } from './words.ts';

/** The meaning of a phrase in the tables. */
type Meaning =
  | { type: 'name'; kind: NameKind; name: string; within?: string | undefined }
  | { type: 'same'; word: string }
  | { type: 'facet'; facet: string; value: string };

type Case = 'any' | 'capital' | 'upper';

interface Entry {
  words: string[];
  /** The required capitalisation of each word. */
  letters: Case[];
  meanings: Meaning[];
}

/** Phrases by their first word, the longest first. */
export type Lexicon = ReadonlyMap<string, readonly Entry[]>;

/** A phrase found in a text: words `from` up to but not including `to`. */
export interface Found {
  from: number;
  to: number;
  meanings: readonly Meaning[];
}

/** Compiles the tables into a lexicon. */
export function compileLexicon(tables: SimilarityTables): Lexicon {
  const entries = new Map<string, Entry>();
  const add = (phrase: string, meaning: Meaning, anyCase: boolean) => {
    const words = splitWords(plain(phrase));
    if (words.length === 0) return;
    const letters = words.map((word) => caseOf(word, phrase, anyCase || words.length > 1));
    const key = words.map((word, i) => `${word.folded}/${letters[i]}`).join(' ');
    const folded = words.map((word) => word.folded);
    const { meanings } = getOrInsert(entries, key, () => ({ words: folded, letters, meanings: [] }));
    if (!meanings.some((each) => JSON.stringify(each) === JSON.stringify(meaning))) meanings.push(meaning);
  };
  for (const { kind, within, names } of tables.names)
    for (const [name, aliases] of Object.entries(names))
      for (const alias of new Set([name, ...aliases]))
        add(alias, { type: 'name', kind, name: plain(name).toLowerCase(), within }, false);
  for (const [word, others] of Object.entries(tables.words.same))
    for (const other of [word, ...others]) add(other, { type: 'same', word }, true);
  for (const [facet, { values }] of Object.entries(tables.facets))
    for (const [value, phrases] of Object.entries(values))
      for (const phrase of phrases) add(phrase, { type: 'facet', facet, value }, true);
  const lexicon = new Map<string, Entry[]>();
  for (const entry of entries.values()) getOrInsert(lexicon, entry.words[0] as string, () => []).push(entry);
  for (const others of lexicon.values()) others.sort((a, b) => b.words.length - a.words.length);
  return lexicon;
}

function caseOf(word: Word, phrase: string, anyCase: boolean): Case {
  if (word.upper && word.folded.length <= 5 && /^[^a-z]*$/.test(phrase.slice(word.start, word.end)))
    return 'upper';
  return anyCase || /\d/.test(word.folded) ? 'any' : 'capital';
}

/**
 * The phrases of the lexicon found in a text, including those inside others.
 *
 * @param hasCapitals false for a text whose capitalisation says nothing: all lower or all upper case
 */
export function findPhrases(lexicon: Lexicon, words: readonly Word[], hasCapitals: boolean): Found[] {
  const found: Found[] = [];
  for (let from = 0; from < words.length; from++) {
    const { folded } = words[from] as Word;
    for (const entry of lexicon.get(folded) ?? [])
      if (stands(entry, words, from, hasCapitals))
        found.push({ from, to: from + entry.words.length, meanings: entry.meanings });
  }
  return found;
}

function stands(entry: Entry, words: readonly Word[], from: number, hasCapitals: boolean): boolean {
  for (const [i, expected] of entry.words.entries()) {
    const word = words[from + i];
    if (!word || (word.folded !== expected && singular(word.folded) !== expected)) return false;
    const letters = entry.letters[i];
    // The initial "R." in a name does not mean a party.
    if (word.initial && entry.words.length === 1) return false;
    if (letters === 'upper' && !(hasCapitals && word.upper)) return false;
    if (letters === 'capital' && hasCapitals && !word.capital) return false;
  }
  return true;
}
