/**
 * Ranked search over the catalog. A match must have every word of the query; those with all of them in title, slug or
 * ticker rank before those that need the description. Matches are ranked in blocks of a thousand, most traded first, so
 * that the cost of a page does not depend on the number of matches.
 */

import type { Reader } from '../store.ts';
import { keyOfSearchId, type SearchKind } from './search-index.ts';
import { selectMatchIds, takeMatches } from './search-matches.ts';
import { type Search, type SearchQuery, searchOf, WITH_IDS } from './search-query.ts';
import { byRank, type Places } from './search-rank.ts';
import type { RecordWords } from './search-record.ts';

/** Limit up to which matches are ranked, counted and shown. */
export const MOST_MATCHES = 10_000;

/** Matches that are ranked together. */
const BLOCK = 1_000;

/**
 * A page of the matches by rank, as keys of markets or events.
 *
 * @returns at most `limit` keys, in an order that is stable until the catalog changes, and whether there is a next page
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
 * The search ids of the matches, at most {@link MOST_MATCHES}, in no particular order: for lists that are not sorted by
 * rank.
 */
export function listMatchIds(reader: Reader, kind: SearchKind, query: SearchQuery): number[] {
  const search = searchOf(reader, kind, query, MOST_MATCHES);
  if (!search) return [];
  const { ids, areHeads } = selectMatchIds(reader, search, 'anywhere', MOST_MATCHES + 1);
  if (ids.length <= MOST_MATCHES) return ids;
  // Above the limit, matches by title and names are preferred. If all found match that way, they already are the first.
  if (areHeads) return ids.slice(0, MOST_MATCHES);
  const head = selectMatchIds(reader, search, 'head', MOST_MATCHES).ids;
  const rest = selectMatchIds(reader, search, 'rest', MOST_MATCHES - head.length).ids;
  return [...head, ...rest];
}

/** @param places needed range of the block: descriptions are searched only if titles and names match too rarely */
function rankedBlock(reader: Reader, search: Search, start: number, { from, to }: Places): number[] {
  const ranked = (matches: readonly RecordWords[], places: Places) =>
    byRank(matches, search.pieces, places, (searchIds) => idsOf(reader, search.kind, searchIds));
  const { matches: head, passed } = takeMatches(reader, search, 'head', BLOCK, start);
  const heads = ranked(head, { from, to });
  if (head.length >= Math.min(to, BLOCK)) return heads;
  const { matches: rest } = takeMatches(reader, search, 'rest', BLOCK - head.length, start - passed);
  return [...heads, ...ranked(rest, { from: from - head.length, to: to - head.length })];
}

/** The ids of the markets or events with some search ids, in the same order. */
function idsOf(reader: Reader, kind: SearchKind, searchIds: readonly number[]): string[] {
  const sql = `SELECT json_group_array(${kind}_id) FROM json_each(?) CROSS JOIN ${WITH_IDS[kind]}
    ON ${kind}_key = value`;
  const keys = JSON.stringify(searchIds.map(keyOfSearchId));
  return JSON.parse(reader.value<string>(sql, keys) ?? '[]');
}
