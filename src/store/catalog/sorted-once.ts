import type { Reader, Value } from '../store.ts';
import type { CatalogFilter } from './catalog-filter.ts';

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
