import type { NameKind } from '../../model/similarity-tables.ts';
import type { TimeSpan } from './dates.ts';
import type { Dictionary } from './dictionary.ts';
import type { Quantity } from './quantities.ts';
import { singular } from './words.ts';

/** A name with its words as the dictionary numbers them. */
export interface Name {
  kind: NameKind;
  name: string;
  words: string[];
}

/** What is hard in a text: what must agree when two texts ask the same. */
export interface Profile {
  names: Name[];
  /** The names that Yes is about. */
  subjects: Name[];
  times: TimeSpan[];
  quantities: Quantity[];
  facets: Map<string, string[]>;
  words: Map<string, number>;
}

/** Reads the hard features of a text back from its terms. */
export function profileOf(dictionary: Dictionary, ids: Uint32Array, values: Float32Array): Profile {
  const profile: Profile = {
    names: [],
    subjects: [],
    times: [],
    quantities: [],
    facets: new Map(),
    words: new Map(),
  };
  for (let i = 0; i < ids.length; i++)
    addTerm(profile, dictionary.terms[ids[i] as number] as string, values[i] as number);
  return profile;
}

function addTerm(profile: Profile, term: string, value: number): void {
  const sort = term.charAt(0);
  if (sort === 'w') profile.words.set(term.slice(2), value);
  if (sort === 'b' || sort === 'w' || sort === 'y') return;
  const parts = term.split('|');
  if (sort === 'n') profile.names.push(nameOf(parts));
  else if (sort === 's') profile.subjects.push(nameOf(parts));
  else if (sort === 'q')
    profile.quantities.push({ unit: parts[1] ?? '', low: Number(parts[2]), high: Number(parts[3]) });
  else if (sort === 'd') profile.times.push(timeOf(parts));
  else if (sort === 'f') {
    const [, facet = '', value = ''] = parts;
    const values = profile.facets.get(facet);
    if (values) values.push(value);
    else profile.facets.set(facet, [value]);
  }
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
