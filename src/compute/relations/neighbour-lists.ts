import { type Neighbour, SEARCH } from '../../methodology/similarity/text-index.ts';
import { getOrInsert, memoized } from '../../model/memoized.ts';
import { type RelationSort, TEXT_GROUPS } from '../../model/relations.ts';
import {
  eachNeighbourList,
  findNeighbours,
  type NearText,
  setNeighbours,
} from '../../store/relations/neighbours.ts';
import { eachTextWithTerms, findTextRecord } from '../../store/relations/relation-texts.ts';
import type { Reader, Writer } from '../../store/store.ts';
import { keepsGroup } from './group-bits.ts';

/** Stored texts by their positions in an index. */
export interface IndexedTexts {
  keys: number[];
  sorts: RelationSort[];
  /** The numbers of their groups. */
  groups: number[];
}

/** The neighbours of a text by the numbers of their groups, the nearest first. */
export type FoundByGroup = ReadonlyMap<number, readonly Neighbour[]>;

/** Stores the lists of neighbours of a text. @param floors least similarity of neighbours, by group number */
export function setOwnLists(
  writer: Writer,
  { keys, sorts }: IndexedTexts,
  place: number,
  found: FoundByGroup,
  floors: readonly number[],
): void {
  for (const group of Object.values(TEXT_GROUPS)) {
    if (!keepsGroup(sorts[place] as RelationSort, group)) continue;
    const near = (found.get(group) ?? []).filter((each) => each.similarity >= (floors[group] ?? 0));
    const nearest = near.slice(0, SEARCH.keep).map(({ text, similarity }) => ({
      text_key: keys[text] as number,
      similarity,
    }));
    setNeighbours(writer, keys[place] as number, group, nearest);
  }
}

/** Texts to add to a list, which is that of a text for a group. */
export interface Offer {
  key: number;
  group: number;
  near: NearText[];
}

/** Notes a text for the lists of those of its neighbours that list its group. */
export function addOffers(
  offered: Map<string, Offer>,
  { keys, sorts, groups }: IndexedTexts,
  place: number,
  found: FoundByGroup,
  floors: readonly number[],
): void {
  const group = groups[place] as number;
  for (const { text, similarity } of [...found.values()].flat()) {
    if (similarity < (floors[group] ?? 0) || !keepsGroup(sorts[text] as RelationSort, group)) continue;
    const key = keys[text] as number;
    const name = `${key}|${group}`;
    const offer = getOrInsert(offered, name, () => ({ key, group, near: [] }));
    offer.near.push({ text_key: keys[place] as number, similarity });
  }
}

/**
 * Which of two equally near texts of a group comes first: by the ids of their records, since their keys tell when each
 * was first read. Ids are looked up as they are needed.
 */
export function byRecordId(reader: Reader): (key: number, other: number) => boolean {
  const idOf = memoized((key: number) => findTextRecord(reader, key) ?? '');
  return (key, other) => idOf(key) < idOf(other);
}

/** Adds texts to a list of neighbours if they come before the last of those already in it. */
export function offerNeighbours(
  writer: Writer,
  { key, group, near }: Offer,
  isBefore: ReturnType<typeof byRecordId>,
): void {
  const before = findNeighbours(writer, key, group);
  const least = before.length < SEARCH.keep ? 0 : (before.at(-1)?.similarity ?? 0);
  const better = near.filter((each) => each.similarity >= least);
  if (better.length === 0) return;
  const names = new Set(better.map((each) => each.text_key));
  const all = [...before.filter((each) => !names.has(each.text_key)), ...better];
  all.sort((a, b) => b.similarity - a.similarity || (isBefore(a.text_key, b.text_key) ? -1 : 1));
  setNeighbours(writer, key, group, all.slice(0, SEARCH.keep));
}

/** A full list that is left with no more than this many entries is rebuilt. */
const SPARE = SEARCH.keep / 2;

/** Texts with a list that was full and has lost too many entries. */
export function shortLists(reader: Reader): number[] {
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
