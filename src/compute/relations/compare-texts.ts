import type { Dictionary } from '../../methodology/similarity/dictionary.ts';
import { ForwardArray } from '../../methodology/similarity/forward-array.ts';
import { Meanings } from '../../methodology/similarity/meanings.ts';
import { isOutdated } from '../../methodology/similarity/outdated.ts';
import type { Facets } from '../../methodology/similarity/similarity.ts';
import { SEARCH, type SearchOptions, TextIndex } from '../../methodology/similarity/text-index.ts';
import type { Progress } from '../../model/effects.ts';
import { type RelationSort, TEXT_GROUPS } from '../../model/relations.ts';
import {
  compareAgain,
  compareAllAgain,
  eachTextWithTerms,
  markCompared,
} from '../../store/relations/relation-texts.ts';
import { loadEmbeddings } from '../../store/relations/text-embeddings.ts';
import type { Reader, Store, Writer } from '../../store/store.ts';
import { ownGroups, takers } from './group-bits.ts';
import {
  addOffers,
  byRecordId,
  type FoundByGroup,
  type IndexedTexts,
  type Offer,
  offerNeighbours,
  setOwnLists,
  shortLists,
} from './neighbour-lists.ts';

/** Texts compared in one transaction: as many as an interrupted run has to repeat. */
const AT_ONCE = 500;

/** A text that waits individually searches further, to find the texts whose lists should include it. */
const FURTHER = { ...SEARCH, keep: 64, candidates: 256, compared: 96 };

interface Comparing {
  dictionary: Dictionary;
  facets: Facets;
  /** Least similarity of neighbours, by group number. */
  floors: readonly number[];
  /** The embedding model whose vectors count besides the words, and their weight. */
  meaning?: { model: string; weight: number } | undefined;
  /** Whether texts were removed, so that lists may have become too short. */
  left: boolean;
  isTimeUp(): boolean;
}

/** The texts to compare. */
interface Loaded extends IndexedTexts {
  index: TextIndex;
  /** Texts waiting because everything is compared again: each finds its own neighbours. */
  ofAll: number[];
  /** Texts waiting individually: each is also offered to the lists of the texts that it is near to. */
  alone: number[];
}

/**
 * Compares the waiting texts with all others. Each gets its own list of neighbours and is offered to the lists of its
 * neighbours, unless everything is compared again. Lists that have lost too many entries are rebuilt.
 *
 * @returns how many were compared
 */
export function compareWaiting(store: Store, options: Comparing, progress: Progress): number {
  if (options.left) store.write((writer) => compareAgain(writer, shortLists(writer)));
  const loaded = store.read((reader) => load(reader, options));
  const { ofAll, alone } = mostWait(loaded) ? compareAll(store, loaded) : loaded;
  const waiting = ofAll.length + alone.length;
  let done = 0;
  for (const [places, search, offers] of [
    [ofAll, SEARCH, false],
    [alone, FURTHER, true],
  ] as const)
    for (let from = 0; from < places.length && !(done > 0 && options.isTimeUp()); from += AT_ONCE) {
      const batch = places.slice(from, from + AT_ONCE);
      const searching = { ...search, floors: options.floors };
      store.write((writer) => compareBatch(writer, loaded, batch, searching, offers));
      done += batch.length;
      progress('relate', done, waiting);
    }
  return done;
}

function mostWait({ keys, alone }: Loaded): boolean {
  return alone.length >= keys.length / 2;
}

/** If most texts are waiting, comparing all is cheaper than offering each to the others. */
function compareAll(store: Store, { keys }: Loaded): Pick<Loaded, 'ofAll' | 'alone'> {
  store.write(compareAllAgain);
  return { ofAll: [...keys.keys()], alone: [] };
}

function load(reader: Reader, { dictionary, facets, meaning }: Comparing): Loaded {
  const texts = new ForwardArray();
  const keys: number[] = [];
  const sorts: RelationSort[] = [];
  const groups: number[] = [];
  const waiting = { all: [] as number[], itself: [] as number[] };
  const times: number[] = [];
  for (const { text_key, sort, text_group, at, waits, ids, weights } of eachTextWithTerms(reader)) {
    const place = texts.add({ ids, weights }, text_group);
    keys.push(text_key);
    sorts.push(sort);
    groups.push(text_group);
    times.push(at ?? Number.NaN);
    if (waits) waiting[waits].push(place);
  }
  const vectors = meaning && loadEmbeddings(reader, meaning.model);
  const meanings =
    vectors &&
    new Meanings(
      keys.map((key) => vectors.get(key)),
      meaning.weight,
    );
  const isNews = (place: number) => groups[place] === TEXT_GROUPS.news;
  const apart = (a: number, b: number) =>
    isNews(a)
      ? isOutdated(times[a] as number, times[b] as number)
      : isNews(b) && isOutdated(times[b] as number, times[a] as number);
  return {
    index: new TextIndex(texts, { dictionary, facets, meanings, apart }),
    keys,
    sorts,
    groups,
    ofAll: waiting.all,
    alone: waiting.itself,
  };
}

/** @param offers whether each text is also offered to the lists of its neighbours */
function compareBatch(
  writer: Writer,
  loaded: Loaded,
  batch: readonly number[],
  options: SearchOptions,
  offers: boolean,
): void {
  const offered = new Map<string, Offer>();
  const comesFirst = byRecordId(writer);
  const isBefore = (a: number, b: number) => comesFirst(loaded.keys[a] as number, loaded.keys[b] as number);
  for (const place of batch) {
    const found = search(loaded, place, { ...options, isBefore }, offers);
    setOwnLists(writer, loaded, place, found, options.floors);
    markCompared(writer, loaded.keys[place] as number);
    if (offers) addOffers(offered, loaded, place, found, options.floors);
  }
  for (const offer of offered.values()) offerNeighbours(writer, offer, comesFirst);
}

/** The neighbours of a text in the groups of its own lists and, if it is offered, of those that may list it. */
function search(
  { index, sorts, groups }: Loaded,
  place: number,
  options: SearchOptions,
  offers: boolean,
): FoundByGroup {
  const own = ownGroups(sorts[place] as RelationSort);
  if (!offers) return index.search(place, own, options);
  const group = groups[place] as number;
  // In its own lists others are held to their floors; in the lists of others it is held to its own.
  const floors = options.floors.map((floor) => Math.min(floor, options.floors[group] ?? 0));
  return index.search(place, own | takers(group), { ...options, floors });
}
