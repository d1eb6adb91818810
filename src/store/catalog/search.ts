/**
 * Ranked search over the catalog. Every word must be there; what holds them all in its title, slug or ticker
 * stands before what holds one only in its description. Of a common word's matches the most traded thousand are
 * ranked first, then the next, so that a page costs the same however many there are.
 */

import type { Reader } from '../store.ts';
import { keyOfSearchId, type SearchKind } from './search-index.ts';
import { type Search, type SearchQuery, searchOf, selectMatchIds, takeMatches } from './search-matches.ts';
import { byRank, type Places } from './search-rank.ts';
import type { RecordWords } from './search-record.ts';

/** Matches are ranked, counted and shown up to here. */
export const MOST_MATCHES = 10_000;

/** Matches that are ranked among each other. */
const BLOCK = 1_000;

/**
 * A page of the matches by rank, as keys of markets or events. One match more than the page tells whether
 * there is a next.
 *
 * @returns at most `limit` keys; the order stands as long as the catalog does
 */
export function listMatches(
  reader: Reader,
  kind: SearchKind,
  query: SearchQuery,
  { limit, offset }: { limit: number; offset: number },
): { keys: number[]; has_next: boolean } {
  const search = searchOf(reader, kind, query, BLOCK);
  if (!search || offset >= MOST_MATCHES) return { keys: [], has_next: false };
  const wanted = Math.min(offset + limit + 1, MOST_MATCHES);
  const ranked: number[] = [];
  const first = Math.floor(offset / BLOCK) * BLOCK;
  for (let start = first; start < wanted; start += BLOCK) {
    const block = rankedBlock(reader, search, start, { from: offset - start, to: wanted - start });
    ranked.push(...block);
    if (block.length < BLOCK) break;
  }
  const page = ranked.slice(offset - first, offset - first + limit);
  return { keys: page.map(keyOfSearchId), has_next: ranked.length > offset - first + limit };
}

/**
 * The search ids of the matches that are ranked, at most {@link MOST_MATCHES}, in no order: for lists that are sorted
 * otherwise.
 */
export function listMatchIds(reader: Reader, kind: SearchKind, query: SearchQuery): number[] {
  const search = searchOf(reader, kind, query, MOST_MATCHES);
  if (!search) return [];
  const { ids, areHeads } = selectMatchIds(reader, search, 'anywhere', MOST_MATCHES + 1);
  if (ids.length <= MOST_MATCHES) return ids;
  // More than are ranked: titles are preferred, whose first matches these are already where they are all of titles.
  if (areHeads) return ids.slice(0, MOST_MATCHES);
  const head = selectMatchIds(reader, search, 'head', MOST_MATCHES).ids;
  const rest = selectMatchIds(reader, search, 'rest', MOST_MATCHES - head.length).ids;
  return [...head, ...rest];
}

/** @param wanted places of the block that are asked for: descriptions are read only when titles are too few */
function rankedBlock(reader: Reader, search: Search, start: number, { from, to }: Places): number[] {
  const ranked = (matches: readonly RecordWords[], places: Places) =>
    byRank(matches, search.pieces, places, (searchIds) => idsOf(reader, search.kind, searchIds));
  const { matches: head, passed } = takeMatches(reader, search, 'head', BLOCK, start);
  const heads = ranked(head, { from, to });
  if (head.length >= Math.min(to, BLOCK)) return heads;
  const { matches: rest } = takeMatches(reader, search, 'rest', BLOCK - head.length, start - passed);
  return [...heads, ...ranked(rest, { from: from - head.length, to: to - head.length })];
}

/** Where ids are looked up: of markets in an index that holds them, since their rows are many times as wide. */
const WITH_IDS: Record<SearchKind, string> = {
  market: 'markets INDEXED BY markets_sort_values',
  event: 'events',
};

/** The ids of the markets or events that search ids stand for, in their order. */
function idsOf(reader: Reader, kind: SearchKind, searchIds: readonly number[]): string[] {
  const sql = `SELECT json_group_array(${kind}_id) FROM json_each(?) CROSS JOIN ${WITH_IDS[kind]}
    ON ${kind}_key = value`;
  const keys = JSON.stringify(searchIds.map(keyOfSearchId));
  return JSON.parse(reader.value<string>(sql, keys) ?? '[]');
}
