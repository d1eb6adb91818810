import type { Found } from './lexicon.ts';
import type { NameAt } from './read-names.ts';
import { bump, type Reading, WEIGHTS } from './reading.ts';
import type { TextReader } from './text-reader.ts';
import { singular, type Word } from './words.ts';

/** A name and the word at which it begins. */
export interface Mention {
  from: number;
  name: string;
}

interface Parts {
  words: readonly Word[];
  found: readonly Found[];
  names: readonly NameAt[];
  left: string;
}

/**
 * Adds words and pairs of words to a reading: names in full, synonyms as one word, all others without plural endings.
 * @returns names recognised by their capitals
 */
export function addWords(
  reading: Reading,
  reader: TextReader,
  { words, found, names, left }: Parts,
  weight: number,
): Mention[] {
  const phrases = phrasesIn(found, names);
  const title = isTitle(words.filter((word) => !reader.stop.has(word.folded)));
  const capitals = new CapitalNames(reading, words, weight);
  let previous: string | undefined;
  const say = (word: string) => {
    bump(reading, `w|${word}`, weight * WEIGHTS.w);
    if (previous !== undefined) bump(reading, `b|${previous} ${word}`, weight * WEIGHTS.b);
    previous = word;
  };
  for (let i = 0; i < words.length; ) {
    const phrase = phrases.get(i);
    if (phrase) {
      capitals.end(i);
      for (const part of phrase.said.split(/[ -]/)) say(singular(part));
      i = phrase.to;
      continue;
    }
    const word = words[i] as Word;
    const isPassed = left.slice(word.start, word.end).trim() === '' || reader.stop.has(word.folded);
    // A common word can continue a name, as Basketball in that of a league, but cannot begin one.
    const isOfName =
      !isPassed && word.capital && !title && (capitals.hasBegun || !isCommon(reader, word.folded));
    if (isOfName) capitals.add(word.folded);
    else capitals.end(i);
    if (!isPassed && word.folded.length > 1) say(singular(word.folded));
    i++;
  }
  capitals.end(words.length);
  return capitals.mentions;
}

/**
 * The replacements of phrases, by the word at which each begins: a name in full, else the common word of its synonyms.
 */
function phrasesIn(
  found: readonly Found[],
  names: readonly NameAt[],
): Map<number, { to: number; said: string }> {
  const phrases = new Map<number, { to: number; said: string }>();
  for (const { from, to, meanings } of found)
    for (const each of meanings)
      if (each.type === 'same' && (phrases.get(from)?.to ?? 0) < to)
        phrases.set(from, { to, said: each.word });
  for (const { from, to, name } of names) phrases.set(from, { to, said: name });
  return phrases;
}

function isCommon({ common }: TextReader, word: string): boolean {
  return common.has(word) || common.has(singular(word));
}

/** Reads names that are in no table: consecutive words with capitals. */
class CapitalNames {
  readonly mentions: Mention[] = [];
  readonly #reading: Reading;
  readonly #words: readonly Word[];
  readonly #weight: number;
  #run: string[] = [];

  constructor(reading: Reading, words: readonly Word[], weight: number) {
    this.#reading = reading;
    this.#words = words;
    this.#weight = weight;
  }

  get hasBegun(): boolean {
    return this.#run.length > 0;
  }

  /** Adds a word to the current name. */
  add(word: string): void {
    this.#run.push(word);
  }

  /** Ends the current name, if any. @param at the word after it */
  end(at: number): void {
    const name = `name|${this.#run.join(' ')}`;
    if (this.hasBegun && !this.#isFirstWord(at)) {
      bump(this.#reading, `n|${name}`, this.#weight * WEIGHTS.n);
      this.mentions.push({ from: at - this.#run.length, name });
    }
    this.#run = [];
  }

  /**
   * The capital at the beginning of a sentence does not indicate a name, unless the text is hardly longer than the
   * name.
   */
  #isFirstWord(at: number): boolean {
    return this.#run.length === 1 && at === 1 && this.#words.length > 3 && !this.#words[0]?.upper;
  }
}

/** Whether a text is capitalised like a headline, so that capitals do not indicate names. */
function isTitle(words: readonly Word[]): boolean {
  const long = words.filter((word) => word.folded.length > 2 && /[a-z]/.test(word.folded));
  return long.length > 6 && long.every((word) => word.capital);
}
