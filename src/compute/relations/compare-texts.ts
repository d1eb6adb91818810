import type { Dictionary } from '../../methodology/similarity/dictionary.ts';
import { ForwardArray } from '../../methodology/similarity/forward-array.ts';
import { Meanings } from '../../methodology/similarity/meanings.ts';
import { isOutdated } from '../../methodology/similarity/outdated.ts';
import type { Facets } from '../../methodology/similarity/similarity.ts';
import {
  type Neighbour,
  SEARCH,
  type SearchOptions,
  TextIndex,
} from '../../methodology/similarity/text-index.ts';
import type { Progress } from '../../model/effects.ts';
import {
  GROUPS_OF_SORT,
  NEIGHBOUR_GROUPS,
  type RelationSort,
  TEXT_GROUPS,
  type TextGroup,
} from '../../model/relations.ts';
import {
  eachNeighbourList,
  findNeighbours,
  type NearText,
  setNeighbours,
} from '../../store/relations/neighbours.ts';
import {
  compareAgain,
  compareAllAgain,
  eachTextWithTerms,
  markCompared,
} from '../../store/relations/relation-texts.ts';
import { loadEmbeddings } from '../../store/relations/text-embeddings.ts';
import type { Reader, Store, Writer } from '../../store/store.ts';

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

/** The texts to compare, in the order of the index. */
interface Loaded {
  index: TextIndex;
  keys: number[];
  sorts: RelationSort[];
  groups: number[];
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
  const { index, keys, sorts, groups } = loaded;
  const { floors } = options;
  const floorOf = (group: number) => floors[group] ?? 0;
  const offered = new Map<string, { key: number; group: number; near: NearText[] }>();
  for (const place of batch) {
    const key = keys[place] as number;
    const group = groups[place] as number;
    const own = ownGroups(sorts[place] as RelationSort);
    // In its own lists others are held to their floors; in the lists of others it is held to its own.
    const found = offers
      ? index.search(place, own | takers(group), {
          ...options,
          floors: floors.map((floor) => Math.min(floor, floorOf(group))),
        })
      : index.search(place, own, options);
    for (const target of Object.values(TEXT_GROUPS)) {
      if (!(own & (1 << target))) continue;
      const nearest = near(found.get(target), keys).filter((each) => each.similarity >= floorOf(target));
      setNeighbours(writer, key, target, nearest.slice(0, SEARCH.keep));
    }
    markCompared(writer, key);
    if (!offers) continue;
    for (const { text, similarity } of [...found.values()].flat()) {
      if (similarity < floorOf(group) || !keepsGroup(sorts[text] as RelationSort, group)) continue;
      const other = keys[text] as number;
      const name = `${other}|${group}`;
      const offer = offered.get(name) ?? { key: other, group, near: [] };
      offer.near.push({ text_key: key, similarity });
      offered.set(name, offer);
    }
  }
  for (const { key, group, near: added } of offered.values()) offerNeighbours(writer, key, group, added);
}

function near(found: readonly Neighbour[] | undefined, keys: readonly number[]): NearText[] {
  return (found ?? []).map(({ text, similarity }) => ({ text_key: keys[text] as number, similarity }));
}

/** Adds texts to a list of neighbours if they are nearer than those already in it. */
function offerNeighbours(writer: Writer, key: number, group: number, added: readonly NearText[]): void {
  const before = findNeighbours(writer, key, group);
  const least = before.length < SEARCH.keep ? 0 : (before.at(-1)?.similarity ?? 0);
  const better = added.filter((each) => each.similarity > least);
  if (better.length === 0) return;
  const names = new Set(better.map((each) => each.text_key));
  const all = [...before.filter((each) => !names.has(each.text_key)), ...better];
  all.sort((a, b) => b.similarity - a.similarity || a.text_key - b.text_key);
  setNeighbours(writer, key, group, all.slice(0, SEARCH.keep));
}

/** The groups in which a sort of record keeps neighbours, as bits. */
function ownGroups(sort: RelationSort): number {
  return bitsOf(NEIGHBOUR_GROUPS[sort]);
}

/** Whether a sort of record keeps neighbours of a group. */
function keepsGroup(sort: RelationSort, group: number): boolean {
  return (ownGroups(sort) & (1 << group)) !== 0;
}

/** The groups whose texts may have neighbours of this group, as bits. */
function takers(group: number): number {
  const sorts = (Object.keys(GROUPS_OF_SORT) as RelationSort[]).filter((sort) => keepsGroup(sort, group));
  return bitsOf(sorts.flatMap((sort) => GROUPS_OF_SORT[sort]));
}

function bitsOf(groups: readonly TextGroup[]): number {
  return groups.reduce((bits, group) => bits | (1 << TEXT_GROUPS[group]), 0);
}

/** A full list that is left with no more than this many entries is rebuilt. */
const SPARE = SEARCH.keep / 2;

/** Texts with a list that was full and has lost too many entries. */
function shortLists(reader: Reader): number[] {
  const groupOf = new Map<number, number>();
  for (const { text_key, text_group } of eachTextWithTerms(reader)) groupOf.set(text_key, text_group);
  const short = new Set<number>();
  for (const { text_key, text_group, nearest } of eachNeighbourList(reader)) {
    if (nearest.length < SEARCH.keep || !groupOf.has(text_key)) continue;
    const alive = nearest.filter((each) => groupOf.get(each.text_key) === text_group).length;
    if (alive <= SPARE) short.add(text_key);
  }
  return [...short];
}
