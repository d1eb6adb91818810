import { Dictionary } from '../../src/methodology/similarity/dictionary.ts';
import { ForwardArray } from '../../src/methodology/similarity/forward-array.ts';
import { readText } from '../../src/methodology/similarity/read-text.ts';
import { TextIndex } from '../../src/methodology/similarity/text-index.ts';
import { createTextReader } from '../../src/methodology/similarity/text-reader.ts';
import type { SimilarityTables } from '../../src/model/similarity-tables.ts';
import { seededRandom } from '../seeded-random.ts';
import { processorMs } from './processor-time.ts';

/** Three venues, so that neighbours are kept as compute keeps them. */
export const FAMILIES = ['venue_a', 'venue_b_global', 'venue_c'] as const;
export const PLATFORMS = ['venue_a', 'venue_b', 'venue_c'] as const;
export const VENUES = FAMILIES.length;

const SYLLABLES = 'ba ko ri ten mar lo shi van der qui pol zen ar mi tas wel gor nu fel dra'.split(' ');

/** An endless series of markets' questions, the same every time: names, days and strikes in eight forms. */
export function* questions(tables: SimilarityTables): Generator<string> {
  const random = seededRandom(7);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const upTo = (most: number) => Math.floor(random() * most);
  const name = () => {
    const word = pick(SYLLABLES) + pick(SYLLABLES) + pick(SYLLABLES);
    return word.charAt(0).toUpperCase() + word.slice(1);
  };
  const named = (kind: string) =>
    tables.names.filter((group) => group.kind === kind).flatMap((group) => Object.keys(group.names));
  const people = Array.from({ length: 8000 }, () => `${name()} ${name()}`);
  const towns = Array.from({ length: 400 }, name);
  const coins = ['Bitcoin', 'Ethereum', 'Solana', ...Array.from({ length: 60 }, name)];
  const [teams, states] = [named('team'), named('state')];
  const months = Object.keys(tables.calendar.months).map(
    (month) => month.charAt(0).toUpperCase() + month.slice(1),
  );
  const day = () => `${pick(months)} ${1 + upTo(28)}, ${2026 + upTo(3)}`;
  const forms = [
    () => `Will the ${pick(teams)} beat the ${pick(teams)} on ${day()}?`,
    () => `${pick(teams)} vs. ${pick(teams)} total points over ${150 + upTo(90)}.5`,
    () =>
      `Will ${pick(people)} win the ${2026 + upTo(4)} ${pick(states)} ${pick(['Senate', 'governor', 'House'])} race?`,
    () => `Highest temperature in ${pick(towns)} on ${day()}? ${40 + upTo(60)}° or above`,
    () => `Will ${pick(coins)} close above $${upTo(2000) * 50} on ${day()}?`,
    () => `Will ${pick(people)} say "${name()}" before ${day()}?`,
    () =>
      `Will ${pick(people)} be the ${pick(['Democratic', 'Republican'])} nominee for ${pick(towns)} mayor?`,
    () => `Will ${name()} ${name()} gross over $${5 + upTo(40) * 5} million on its opening weekend?`,
  ];
  for (;;) yield pick(forms)();
}

export interface BuiltIndex {
  index: TextIndex;
  texts: ForwardArray;
  dictionary: Dictionary;
  /** Processor milliseconds for reading the texts; below, for building the index. */
  readMs: number;
  indexMs: number;
}

/** Builds an index of so many questions as compute does. */
export function buildIndex(tables: SimilarityTables, count: number): BuiltIndex {
  const reader = createTextReader(tables);
  const dictionary = new Dictionary();
  const texts = new ForwardArray();
  const holders: number[] = [];
  const began = processorMs();
  for (const text of questions(tables)) {
    if (texts.length === count) break;
    const vector = dictionary.vectorOf(readText(reader, { text }));
    texts.add(vector, texts.length % VENUES);
    for (const id of vector.ids) holders[id] = (holders[id] ?? 0) + 1;
  }
  const read = processorMs();
  dictionary.weigh(count, (id) => holders[id] ?? 0);
  const index = new TextIndex(texts, { dictionary, facets: tables.facets });
  return { index, texts, dictionary, readMs: read - began, indexMs: processorMs() - read };
}
