import type { Reader } from '../store.ts';
import { type CatalogFilter, conditions } from './catalog-filter.ts';

/**
 * The number of markets or events that match a filter. The counts of each venue are maintained as rows are added; for
 * other filters the rows are counted, and the result is cached until anything is written.
 */
export function countRows(reader: Reader, kind: 'market' | 'event', filter: CatalogFilter): number {
  const { platform, ...others } = filter;
  if (Object.keys(others).length > 0) return countAnew(reader, kind, filter);
  const sql = `SELECT sum(count) FROM catalog_counts
    WHERE kind = @kind AND (@platform IS NULL OR platform = @platform)`;
  return reader.value(sql, { kind, platform: platform ?? null }) ?? 0;
}

function countAnew(reader: Reader, kind: 'market' | 'event', filter: CatalogFilter): number {
  const { where, values } = conditions(filter, `${kind}_id`);
  const sql = `SELECT count(*) FROM ${kind}s WHERE ${where}`;
  return reader.untilWritten(`${sql} ${JSON.stringify(values)}`, () => reader.value(sql, values) ?? 0);
}
