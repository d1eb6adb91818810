import type { Reader, Value } from '../store.ts';
import type { CatalogFilter } from './catalog-filter.ts';

/**
 * The keys of a whole list in an order that no index has: eight bytes a row. Cached until something is written, since
 * whoever reads a list to its end would else have it sorted again for each page.
 *
 * @param sql gives keys in order
 */
export function sortedOnce(reader: Reader, sql: string, values: Record<string, Value>): Float64Array {
  return reader.untilWritten(`${sql} ${JSON.stringify(values)}`, () => {
    const all = `SELECT json_group_array(key) FROM (${sql} LIMIT -1)`;
    return Float64Array.from(JSON.parse(reader.value<string>(all, values) ?? '[]'));
  });
}

/** Whether a filter leaves all, or all of a venue: other filters are too many for their orders to be cached. */
export function isWholeList(filter: CatalogFilter): boolean {
  return Object.keys(filter).every((each) => each === 'platform');
}
