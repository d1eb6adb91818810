import { getOrInsert, memoized } from '../../model/memoized.ts';
import type { NameKind } from '../../model/similarity-tables.ts';
import type { TimeSpan } from './dates.ts';
import type { Dictionary } from './dictionary.ts';
import type { Quantity } from './quantities.ts';
import { singular } from './words.ts';

/** A name and its words without plural endings. */
export interface Name {
  kind: NameKind;
  name: string;
  words: string[];
}

/** The hard features of a text: those that must agree if two texts ask the same. */
export interface Profile {
  names: Name[];
  /** The names that Yes is about. */
  subjects: Name[];
  times: TimeSpan[];
  quantities: Quantity[];
  facets: Map<string, string[]>;
  words: Map<string, number>;
}

/** The meaning of a term; undefined for a term without one. */
type Said =
  | { word: string }
  | { name: Name }
  | { subject: Name }
  | { quantity: Quantity }
  | { time: TimeSpan }
  | { facet: string; value: string }
  | undefined;

/** The meanings of a dictionary's terms, each read once: texts share most of their terms. */
const meaningsIn = memoized(
  ({ terms }: Dictionary) => memoized((id: number) => readTerm(terms[id] as string)),
  new WeakMap(),
);

/** Recovers the hard features of a text from its terms. */
export function profileOf(dictionary: Dictionary, ids: Uint32Array, values: Float32Array): Profile {
  const profile: Profile = {
    names: [],
    subjects: [],
    times: [],
    quantities: [],
    facets: new Map(),
    words: new Map(),
  };
  const meaningOf = meaningsIn(dictionary);
  for (let i = 0; i < ids.length; i++) {
    const said = meaningOf(ids[i] as number);
    if (said) add(profile, said, values[i] as number);
  }
  return profile;
}

function readTerm(term: string): Said {
  const parts = term.split('|');
  switch (parts[0]) {
    case 'w':
      return { word: term.slice(2) };
    case 'n':
      return { name: nameOf(parts) };
    case 's':
      return { subject: nameOf(parts) };
    case 'q':
      return { quantity: { unit: parts[1] ?? '', low: Number(parts[2]), high: Number(parts[3]) } };
    case 'd':
      return { time: timeOf(parts) };
    case 'f':
      return { facet: parts[1] ?? '', value: parts[2] ?? '' };
    default:
      return undefined;
  }
}

function add(profile: Profile, said: NonNullable<Said>, weight: number): void {
  if ('word' in said) profile.words.set(said.word, weight);
  else if ('name' in said) profile.names.push(said.name);
  else if ('subject' in said) profile.subjects.push(said.subject);
  else if ('quantity' in said) profile.quantities.push(said.quantity);
  else if ('time' in said) profile.times.push(said.time);
  else getOrInsert(profile.facets, said.facet, () => []).push(said.value);
}

function nameOf([, kind, name = '']: string[]): Name {
  return { kind: kind as NameKind, name, words: name.split(/[ -]/).map(singular) };
}

function timeOf([, from, to, grain, or, dated]: string[]): TimeSpan {
  return {
    from: Number(from),
    to: Number(to),
    grain: Number(grain),
    ...(or === '' ? {} : { or: Number(or) }),
    dated: dated === '1' ? 1 : 0,
  };
}
