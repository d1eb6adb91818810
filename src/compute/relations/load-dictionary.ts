import { Dictionary } from '../../methodology/similarity/dictionary.ts';
import { eachTerm, findRelationState } from '../../store/relations/relation-texts.ts';
import type { Reader } from '../../store/store.ts';

/** Loads the dictionary of terms, with their rarity as last weighed. */
export function loadDictionary(reader: Reader): Dictionary {
  const dictionary = new Dictionary();
  const holders: number[] = [];
  for (const { term, holders: count } of eachTerm(reader)) holders[dictionary.add(term)] = count;
  dictionary.weigh(findRelationState(reader)?.weighed_texts ?? 0, (id) => holders[id] ?? 0);
  return dictionary;
}
