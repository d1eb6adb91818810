import type { Reader, Value } from '../store.ts';
import type { CatalogFilter } from './catalog-filter.ts';

export interface Page {
  limit: number;
  offset: number;
}

export type Direction = 'asc' | 'desc';

/** The terms of an ORDER BY: rows without the value come last in both directions, ties are ordered by id. */
export function orderTerms(value: string, id: string, direction: Direction): string {
  return `${value} ${direction} NULLS LAST, ${id} ${direction}`;
}

/**
 * The rows with some keys, in the order given.
 *
 * @param select the SELECT and FROM clauses
 */
export function listByKeys<Key extends string, Row extends Record<Key, number>>(
  reader: Reader,
  select: string,
  key: Key,
  keys: Iterable<number>,
): Row[] {
  const wanted = [...keys];
  const sql = `${select} WHERE ${key} IN (SELECT value FROM json_each(?))`;
  const found = new Map(reader.all<Row>(sql, JSON.stringify(wanted)).map((row) => [+row[key], row]));
  return wanted.flatMap((each) => found.get(each) ?? []);
}

/**
 * The keys of a whole list in an order that has no index, eight bytes per row. Cached until something is written;
 * otherwise reading a list to its end would sort it again for each page.
 *
 * @param sql selects the keys in order, as `key`
 */
export function sortedOnce(reader: Reader, sql: string, values: Record<string, Value>): Float64Array {
  return reader.untilWritten(`${sql} ${JSON.stringify(values)}`, () => {
    const all = `SELECT json_group_array(key) FROM (${sql} LIMIT -1)`;
    return Float64Array.from(JSON.parse(reader.value<string>(all, values) ?? '[]'));
  });
}

/** Whether a filter selects everything, or everything of a venue. There are too many other filters to cache. */
export function isWholeList(filter: CatalogFilter): boolean {
  return Object.keys(filter).every((each) => each === 'platform');
}
