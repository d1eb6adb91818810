import type { RelatedText } from '../../model/related-text.ts';
import { DAY_MS } from '../../model/time.ts';
import { type Found, findPhrases } from './lexicon.ts';
import { Page } from './page.ts';
import { addDistricts, addNames } from './read-names.ts';
import { addWords, type Mention } from './read-words.ts';
import { bump, type Reading, WEIGHTS } from './reading.ts';
import type { TextReader } from './text-reader.ts';
import { plain, splitWords, type Word } from './words.ts';

/** Weight of what only the context says. */
const OF_CONTEXT = 0.35;

/** Extracts the weighted terms of a text. */
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
    // Dates and numbers in a context belong to the whole group or its rules, and are ignored.
    for (const [term, weight] of other)
      if (!reading.has(term) && /^[wbnf]/.test(term)) reading.set(term, weight);
  }
  return reading;
}

/** Separates the outcome at the end of "Which city will host? Sofia" and "Who will win? – Boston". */
function partOutcome(text: string): [string, string | undefined] {
  const match =
    /^(.+?\?)\s*(?:[-–—:]\s*)?([^?]{1,80})$/u.exec(text) ?? /^(.{8,}?)\s[–—]\s(.{1,80})$/u.exec(text);
  return match ? [match[1] as string, match[2] as string] : [text, undefined];
}

/** Whether a text already contains a part. Numbers must match as a whole: "2027" does not contain "2". */
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

/** @returns the names in the part, with the word at which each begins */
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
  // A number in a name or a fixed phrase is no quantity: the 49ers, the S&P 500, game 1.
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

function hasCapitals(words: readonly Word[]): boolean {
  return (
    words.some((word) => word.capital) && words.some((word) => !word.capital && /[a-z]/.test(word.folded))
  );
}

function addFacets(reading: Reading, found: readonly Found[], weight: number): void {
  for (const { from, to, meanings } of found)
    for (const each of meanings) {
      if (each.type !== 'facet') continue;
      // "Vice president" does not mean "president".
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

/** The subject of a question such as "Will Boston beat Chicago": its first name. */
function firstOf(names: readonly Mention[], text: string): string[] {
  const first = /^will\b/i.test(text) ? [...names].sort((a, b) => a.from - b.from)[0] : undefined;
  return first ? [first.name] : [];
}

function namesOf(reader: TextReader, text: string): string[] {
  return [...new Set(addPart(new Map(), reader, text, 1, undefined).map((each) => each.name))];
}
