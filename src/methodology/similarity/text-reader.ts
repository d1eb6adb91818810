import type { SimilarityTables } from '../../model/similarity-tables.ts';
import { compileDates, type DateReader } from './dates.ts';
import { compileLexicon, type Lexicon } from './lexicon.ts';
import { compileQuantities, type QuantityReader } from './quantities.ts';
import { plain, splitWords } from './words.ts';

/** What is needed to read texts, created once from the tables. */
export interface TextReader {
  lexicon: Lexicon;
  stop: ReadonlySet<string>;
  /** Words that are never names, even if capitalised, because the tables give them another meaning. */
  common: ReadonlySet<string>;
  states: ReadonlyMap<string, string>;
  readDates: DateReader;
  readQuantities: QuantityReader;
}

/** Creates a reader from the tables. */
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
