import type { Reader, Value } from '../store.ts';
import { type CatalogFilter, conditions } from './catalog-filter.ts';

/**
 * The number of markets or events that a filter leaves. Of a venue, or of all, it is kept up to date as rows are
 * added; for other filters rows are counted, once until anything is written.
 */
export function countRows(reader: Reader, kind: 'market' | 'event', filter: CatalogFilter): number {
  const { platform, ...others } = filter;
  if (Object.keys(others).length > 0) return countAnew(reader, kind, filter);
  const sql = `SELECT coalesce(sum(count), 0) AS count FROM catalog_counts
    WHERE kind = @kind AND (@platform IS NULL OR platform = @platform)`;
  return countOf(reader, sql, { kind, platform: platform ?? null });
}

function countAnew(reader: Reader, kind: 'market' | 'event', filter: CatalogFilter): number {
  const { where, values } = conditions(filter, `${kind}_id`);
  const sql = `SELECT count(*) AS count FROM ${kind}s WHERE ${where}`;
  return reader.untilWritten(`${sql} ${JSON.stringify(values)}`, () => countOf(reader, sql, values));
}

function countOf(reader: Reader, sql: string, values: Record<string, Value>): number {
  return reader.get<{ count: number }>(sql, values)?.count ?? 0;
}
