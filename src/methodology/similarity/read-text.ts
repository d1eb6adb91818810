import type { RelatedText } from '../../model/related-text.ts';
import type { SimilarityTables } from '../../model/similarity-tables.ts';
import { DAY_MS } from '../../model/time.ts';
import { compileDates, type DateReader } from './dates.ts';
import { compileLexicon, type Found, findPhrases, type Lexicon } from './lexicon.ts';
import { Page } from './page.ts';
import { compileQuantities, type QuantityReader } from './quantities.ts';
import { plain, singular, splitWords, type Word } from './words.ts';

/**
 * What a text says, as terms with weights. A term's first letter is its sort: `w` word, `b` two words in a row,
 * `n` name, `s` the name that the question is about, `q` quantity, `d` span of time, `y` year or month,
 * `f` facet. The parts of a term are parted by `|`.
 */
export type Reading = Map<string, number>;

/** Everything that texts are read with, made once from the tables. */
export interface TextReader {
  lexicon: Lexicon;
  stop: ReadonlySet<string>;
  /** Words that are no names, whatever their letters: they stand in the tables as something else. */
  common: ReadonlySet<string>;
  states: ReadonlyMap<string, string>;
  readDates: DateReader;
  readQuantities: QuantityReader;
}

/** Weights of the sorts of terms, before their rarity; and of what is said in the context only. */
const WEIGHTS = { w: 1, b: 0.5, n: 1.5, q: 1.2, d: 0.6, y: 0.5, f: 0.6 } as const;
const OF_CONTEXT = 0.35;

/** Makes a reader from the tables. */
export function createTextReader(tables: SimilarityTables): TextReader {
  const { words, facets } = tables;
  const common = new Set<string>(words.stop);
  const add = (phrase: string) => {
    for (const word of splitWords(plain(phrase))) common.add(word.folded);
  };
  for (const [word, others] of Object.entries(words.same)) for (const each of [word, ...others]) add(each);
  for (const { values } of Object.values(facets))
    for (const phrases of Object.values(values)) phrases.forEach(add);
  for (const [month, others] of Object.entries(tables.calendar.months))
    for (const each of [month, ...others]) add(each);
  for (const each of [...tables.calendar.before, ...tables.calendar.by]) add(each);
  for (const each of Object.keys(tables.units.multipliers)) add(each);
  const states = tables.names
    .filter((group) => group.kind === 'state')
    .flatMap((group) => Object.entries(group.names));
  return {
    lexicon: compileLexicon(tables),
    stop: new Set(words.stop),
    common,
    states: new Map(
      states.flatMap(([name, aliases]) => [name, ...aliases].map((each) => [each, name] as const)),
    ),
    readDates: compileDates(tables.calendar),
    readQuantities: compileQuantities(tables.units),
  };
}

/** Reads a text. */
export function readText(reader: TextReader, { text, outcome, context, closes_at }: RelatedText): Reading {
  const reading: Reading = new Map();
  const [asked, answer] = outcome === undefined ? partOutcome(text) : [text, outcome];
  const whole = answer === undefined || says(asked, answer) ? asked : `${asked} - ${answer}`;
  const names = addPart(reading, reader, whole, 1, closes_at);
  const subject = answer === undefined ? firstOf(names, asked) : namesOf(reader, answer);
  for (const name of subject) reading.set(`s|${name}`, 0);
  if (context !== undefined && !says(whole, context)) {
    const other: Reading = new Map();
    addPart(other, reader, context, OF_CONTEXT, closes_at);
    // Dates and numbers of a context are those of the whole group or of its rules.
    for (const [term, weight] of other)
      if (!reading.has(term) && /^[wbnf]/.test(term)) reading.set(term, weight);
  }
  return reading;
}

/** "Which city will host? Sofia" and "Who will win? – Boston" end with the outcome. */
function partOutcome(text: string): [string, string | undefined] {
  const match =
    /^(.+?\?)\s*(?:[-–—:]\s*)?([^?]{1,80})$/u.exec(text) ?? /^(.{8,}?)\s[–—]\s(.{1,80})$/u.exec(text);
  return match ? [match[1] as string, match[2] as string] : [text, undefined];
}

/** Whether a text says a part of it already; a number only as itself: "2" is not said by "2027". */
function says(text: string, part: string): boolean {
  const whole = text.toLowerCase();
  const sought = part.toLowerCase();
  if (!/^\d/.test(sought)) return whole.includes(sought);
  for (let at = whole.indexOf(sought); at >= 0; at = whole.indexOf(sought, at + 1)) {
    const [before, after] = [whole.slice(0, at), whole.slice(at + sought.length)];
    if (!/[\d.,]$/.test(before) && !/^[.,]?\d/.test(after)) return true;
  }
  return false;
}

/** @returns the names in the part, with where each begins */
function addPart(
  reading: Reading,
  reader: TextReader,
  text: string,
  weight: number,
  closesAt: number | undefined,
): Mention[] {
  const clean = plain(text);
  const page = new Page(clean);
  const words = splitWords(clean);
  const found = findPhrases(reader.lexicon, words, hasCapitals(words));
  const names = addNames(reading, found, words, weight);
  addDistricts(reading, reader, page, weight);
  // A number inside a name or a fixed phrase is no quantity: the 49ers, the S&P 500, game 1.
  for (const { from, to, meanings } of found)
    if (meanings.some((each) => each.type === 'name' || to - from > 1))
      for (const word of words.slice(from, to)) if (/\d/.test(word.folded)) page.blank(word.start, word.end);
  const spans = reader.readDates(page, closesAt);
  for (const { from, to, grain, or, dated } of spans) {
    bump(reading, `d|${from}|${to}|${grain}|${or ?? ''}|${dated}`, weight * WEIGHTS.d);
    if (dated) bump(reading, `y|${new Date(to * DAY_MS).getUTCFullYear()}`, weight * WEIGHTS.y);
    if (grain <= 2) bump(reading, `y|m${new Date(to * DAY_MS).getUTCMonth()}`, weight * WEIGHTS.y);
  }
  for (const { unit, low, high } of reader.readQuantities(page))
    bump(reading, `q|${unit}|${low}|${high}`, weight * WEIGHTS.q);
  addFacets(reading, found, weight);
  const others = addWords(reading, reader, { words, found, names, left: page.left }, weight);
  return [...names.map(({ from, kind, name }) => ({ from, name: `${kind}|${name}` })), ...others];
}

/** A name with the word that it begins at. */
interface Mention {
  from: number;
  name: string;
}

function hasCapitals(words: readonly Word[]): boolean {
  return (
    words.some((word) => word.capital) && words.some((word) => !word.capital && /[a-z]/.test(word.folded))
  );
}

interface NameAt {
  from: number;
  to: number;
  kind: string;
  name: string;
}

/** The names that stand in the words, the longest where several overlap; see {@link chooseName}. */
function addNames(
  reading: Reading,
  found: readonly Found[],
  words: readonly Word[],
  weight: number,
): NameAt[] {
  const named = found
    .map(({ from, to, meanings }) => ({
      from,
      to,
      meanings: meanings.filter((each) => each.type === 'name'),
    }))
    .filter(({ meanings }) => meanings.length > 0)
    .sort((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from);
  const taken = new Uint8Array(words.length);
  const free = named.filter(({ from, to }) => {
    if (taken.subarray(from, to).some((each) => each === 1)) return false;
    taken.fill(1, from, to);
    return true;
  });
  const leagues = new Set<string>();
  for (const { meanings } of free) {
    const [only] = meanings;
    if (meanings.length !== 1 || !only) continue;
    if (only.within) leagues.add(only.within);
    if (only.kind === 'competition') leagues.add(only.name);
  }
  const names: NameAt[] = [];
  for (const { from, to, meanings } of free) {
    const chosen = chooseName(meanings, leagues);
    if (!chosen) continue;
    names.push({ from, to, kind: chosen.kind, name: chosen.name });
    bump(reading, `n|${chosen.kind}|${chosen.name}`, weight * WEIGHTS.n);
  }
  return names;
}

/**
 * What an alias of several names means: the one of a league that the text speaks of, else the only one that is no
 * team, else the only one.
 */
function chooseName(
  meanings: readonly Extract<Found['meanings'][number], { type: 'name' }>[],
  leagues: ReadonlySet<string>,
) {
  const inLeague = meanings.filter((each) => each.within !== undefined && leagues.has(each.within));
  if (inLeague.length === 1) return inLeague[0];
  if (meanings.length === 1) return meanings[0];
  const others = meanings.filter((each) => each.within === undefined);
  return others.length === 1 ? others[0] : undefined;
}

/**
 * Congressional districts: "NY-13", "the 13th congressional district of New York", "New York's 13th district", "New York
 * district 13".
 */
function addDistricts(reading: Reading, reader: TextReader, page: Page, weight: number): void {
  const add = (state: string | undefined, number: string | undefined): boolean => {
    const name = reader.states.get(state ?? '') ?? reader.states.get((state ?? '').toLowerCase());
    if (name === undefined) return false;
    bump(
      reading,
      `n|district|${name} ${number === 'AL' ? 'at large' : Number(number)}`,
      weight * WEIGHTS.n * 1.5,
    );
    bump(reading, `n|state|${name}`, weight * WEIGHTS.n);
    bump(reading, 'f|office|house', weight * WEIGHTS.f);
    return true;
  };
  page.take(/\b([A-Z]{2})-(\d{1,2}|AL)\b/g, ([state, number]) => add(state, number));
  page.take(
    /\b((?:(?:North|South|West|New|Rhode)\s)?[A-Z][a-z]+)(?:'s)?\s(\d{1,2})(?:st|nd|rd|th)\s(?:congressional\s)?district/gi,
    ([state, number]) => add(state, number),
  );
  page.take(
    /\b(\d{1,2})(?:st|nd|rd|th)\s(?:congressional\s)?district\s(?:of|in)\s((?:(?:North|South|West|New|Rhode)\s)?[A-Z][a-z]+)/gi,
    ([number, state]) => add(state, number),
  );
  page.take(
    /\b((?:(?:North|South|West|New|Rhode)\s)?[A-Z][a-z]+)(?:'s)?,?\s(?:congressional\s)?district\s(\d{1,2})\b/gi,
    ([state, number]) => add(state, number),
  );
}

function addFacets(reading: Reading, found: readonly Found[], weight: number): void {
  for (const { from, to, meanings } of found)
    for (const each of meanings) {
      if (each.type !== 'facet') continue;
      // "Vice president" does not say "president".
      const inside = found.some(
        (other) =>
          other.from <= from &&
          other.to >= to &&
          other.to - other.from > to - from &&
          other.meanings.some(
            (meaning) =>
              meaning.type === 'name' || (meaning.type === 'facet' && meaning.facet === each.facet),
          ),
      );
      const term = `f|${each.facet}|${each.value}`;
      if (!inside) reading.set(term, Math.max(weight * WEIGHTS.f, reading.get(term) ?? 0));
    }
}

interface Parts {
  words: readonly Word[];
  found: readonly Found[];
  names: readonly NameAt[];
  left: string;
}

/** Words and pairs of words: names in full, what says the same as one word, the rest without plural endings. */
function addWords(
  reading: Reading,
  reader: TextReader,
  { words, found, names, left }: Parts,
  weight: number,
): Mention[] {
  const sames = new Map<number, { to: number; word: string }>();
  for (const { from, to, meanings } of found)
    for (const each of meanings)
      if (each.type === 'same' && (sames.get(from)?.to ?? 0) < to) sames.set(from, { to, word: each.word });
  const nameAt = new Map(names.map((each) => [each.from, each]));
  const title = isTitle(words.filter((word) => !reader.stop.has(word.folded)));
  let previous: string | undefined;
  let run: string[] = [];
  const mentions: Mention[] = [];
  const say = (word: string) => {
    bump(reading, `w|${word}`, weight * WEIGHTS.w);
    if (previous !== undefined) bump(reading, `b|${previous} ${word}`, weight * WEIGHTS.b);
    previous = word;
  };
  // The capital that begins a sentence shows no name, unless the text is hardly more than the name.
  const isFirstWord = (at: number) => run.length === 1 && at === 1 && words.length > 3 && !words[0]?.upper;
  const endRun = (at: number) => {
    const name = `name|${run.join(' ')}`;
    if (run.length > 0 && !isFirstWord(at)) {
      bump(reading, `n|${name}`, weight * WEIGHTS.n);
      mentions.push({ from: at - run.length, name });
    }
    run = [];
  };
  for (let i = 0; i < words.length; ) {
    const name = nameAt.get(i);
    const same = sames.get(i);
    if (name) {
      endRun(i);
      for (const part of name.name.split(/[ -]/)) say(singular(part));
      i = name.to;
    } else if (same) {
      endRun(i);
      for (const part of same.word.split(/[ -]/)) say(singular(part));
      i = same.to;
    } else {
      const word = words[i] as Word;
      i++;
      const read = left.slice(word.start, word.end).trim() === '';
      if (read || reader.stop.has(word.folded)) {
        endRun(i - 1);
        continue;
      }
      const letter = word.folded.length === 1;
      if (
        word.capital &&
        !title &&
        // A known word goes on with a name that has begun, as the Basketball of a league does, and begins none.
        (run.length > 0 || !(reader.common.has(word.folded) || reader.common.has(singular(word.folded))))
      )
        run.push(word.folded);
      else endRun(i - 1);
      if (!letter) say(singular(word.folded));
    }
  }
  endRun(words.length);
  return mentions;
}

/** Whether a text has capitals as a headline has them, so that they show no names. */
function isTitle(words: readonly Word[]): boolean {
  const long = words.filter((word) => word.folded.length > 2 && /[a-z]/.test(word.folded));
  return long.length > 6 && long.every((word) => word.capital);
}

/** The first name of a question of the form "Will Boston beat Chicago", whom Yes is about. */
function firstOf(names: readonly Mention[], text: string): string[] {
  const first = /^will\b/i.test(text) ? [...names].sort((a, b) => a.from - b.from)[0] : undefined;
  return first ? [first.name] : [];
}

function namesOf(reader: TextReader, text: string): string[] {
  return [...new Set(addPart(new Map(), reader, text, 1, undefined).map((each) => each.name))];
}

function bump(reading: Reading, term: string, weight: number): void {
  reading.set(term, (reading.get(term) ?? 0) + weight);
}
