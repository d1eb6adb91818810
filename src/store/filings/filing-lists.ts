import type { FilingFeed } from '../../model/filing.ts';
import { given } from '../../model/given.ts';
import type { Instant } from '../../model/units.ts';
import { type Direction, orderTerms, type Page } from '../catalog/list-pages.ts';
import { foldText } from '../fold-text.ts';
import type { Reader, Value } from '../store.ts';
import { FILING_ROW, type FilingRow } from './filings.ts';

export const FILING_SORTS = ['status_date', 'received', 'first_seen', 'org', 'last_seen'] as const;
type FilingSort = (typeof FILING_SORTS)[number];

const SORT_SQL: Record<FilingSort, string> = {
  status_date: 'status_day',
  received: 'received_day',
  first_seen: 'first_seen_at',
  org: 'filings.org COLLATE NOCASE',
  last_seen: 'last_seen_at',
};

/** Selects filings; a field left out does not filter. */
export interface FilingFilter {
  feed?: FilingFeed | undefined;
  /** Organization and status are compared without regard to case. */
  org?: string | undefined;
  status?: string | undefined;
  /** Only filings with a status date on or after this day. */
  sinceDay?: string | undefined;
  /** Only filings last seen in a list before this instant. */
  unseenSince?: Instant | undefined;
  /** Words that must all be in the searchable text; the last one may be a prefix. */
  search?: string | undefined;
}

/** How a list of filings is ordered; a search without an order is by relevance. */
export interface FilingOrder {
  sort: FilingSort;
  direction: Direction;
}

const MOST_WORDS = 16;
const LONGEST_WORD = 64;
/** Shorter prefixes would match too many words. */
const SHORTEST_BEGINNING = 3;

/**
 * A page of filings. Without an order, a search is sorted by relevance and other lists by status date, newest first.
 * Rows without the value come last, and ties are ordered by number.
 *
 * @returns one row more than the limit if there is a next page
 */
export function listFilings(
  reader: Reader,
  filter: FilingFilter,
  order: FilingOrder | undefined,
  { limit, offset }: Page,
): FilingRow[] {
  const found = conditionsOf(filter);
  if (!found) return [];
  const isRanked = filter.search !== undefined && order === undefined;
  const { sort, direction } = order ?? { sort: 'status_date', direction: 'desc' };
  const by = isRanked
    ? 'rank, filings.filing_id DESC'
    : orderTerms(SORT_SQL[sort], 'filings.filing_id', direction);
  return reader.all(
    `SELECT ${FILING_ROW} FROM ${found.from} WHERE ${found.where} ORDER BY ${by} LIMIT @limit OFFSET @offset`,
    { ...found.values, limit: limit + 1, offset },
  );
}

/** The number of filings that match a filter. */
export function countFilings(reader: Reader, filter: FilingFilter): number {
  const found = conditionsOf(filter);
  if (!found) return 0;
  const sql = `SELECT count(*) FROM ${found.from} WHERE ${found.where}`;
  return reader.value(sql, found.values) ?? 0;
}

/** The distinct feeds, organizations and statuses of filings with a status date on or after a day, each in order. */
export function listFilingValues(
  reader: Reader,
  sinceDay: string,
): { feed: string[]; org: string[]; status: string[] } {
  const values = (column: string) =>
    reader.column<string>(
      `SELECT DISTINCT ${column} FROM filings WHERE status_day >= ? ORDER BY 1`,
      sinceDay,
    );
  return { feed: values('feed'), org: values('org'), status: values('status') };
}

/** When a filing was last seen in any registry's list; undefined before the first. */
export function findNewestSighting(reader: Reader): Instant | undefined {
  return reader.value('SELECT max(last_seen_at) FROM filings');
}

/** Numbers of the filings with a status date on or after a day, in order. */
export function* eachFilingSince(reader: Reader, sinceDay: string): Generator<number> {
  const sql = 'SELECT filing_id FROM filings WHERE status_day >= ? ORDER BY filing_id';
  for (const row of reader.iterate<{ filing_id: number }>(sql, sinceDay)) yield row.filing_id;
}

const CONDITIONS: Record<Exclude<keyof FilingFilter, 'search'>, string> = {
  feed: 'filings.feed = @feed',
  org: 'filings.org = @org COLLATE NOCASE',
  status: 'filings.status = @status COLLATE NOCASE',
  sinceDay: 'status_day >= @sinceDay',
  unseenSince: 'last_seen_at < @unseenSince',
};

// Undefined when nothing can match, because the search has no words.
function conditionsOf(
  filter: FilingFilter,
): { from: string; where: string; values: Record<string, Value> } | undefined {
  const { search, ...rest } = filter;
  const values = given(rest);
  const named = (Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[]).filter((name) => name in values);
  const parts = ['true', ...named.map((name) => CONDITIONS[name])];
  if (search === undefined) return { from: 'filings', where: parts.join(' AND '), values };
  const match = matchOf(search);
  if (match === undefined) return undefined;
  const from = 'filing_search JOIN filings ON filings.filing_id = filing_search.rowid';
  parts.push('filing_search MATCH @match');
  return { from, where: parts.join(' AND '), values: { ...values, match } };
}

/** A short word of letters alone, as abbreviations are, and one with dots between its letters. */
const ABBREVIATION = /^\p{L}{2,4}$/u;
const DOTTED = /(?<![\p{L}\p{N}.])(?:\p{L}\.){1,3}\p{L}(?!\.?[\p{L}\p{N}])/gu;

// Every word is quoted, so that none is read as an operator.
function matchOf(search: string): string | undefined {
  const words = withoutDots(foldText(search)).match(/[\p{L}\p{N}]+/gu);
  if (!words) return undefined;
  const quoted = words.slice(0, MOST_WORDS).map((word) => `"${word.slice(0, LONGEST_WORD)}"`);
  const last = words.length <= MOST_WORDS ? (words.at(-1) ?? '') : '';
  if (last.length >= SHORTEST_BEGINNING) quoted.push(`${quoted.pop()}*`);
  return quoted.map((each, i) => orDotted(each, words[i] ?? '')).join(' AND ');
}

/** A search with abbreviations as one word each. @example withoutDots('u.s. v. l.a.') // 'us v. la.' */
function withoutDots(search: string): string {
  return search.replace(DOTTED, (written) => written.replaceAll('.', ''));
}

/** A term that also finds its word with dots: the index has U.S. as u and s, one after the other. */
function orDotted(term: string, word: string): string {
  return ABBREVIATION.test(word) ? `(${term} OR "${[...word].join(' ')}")` : term;
}
