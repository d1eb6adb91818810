import type { Value, Writer } from '../store.ts';
import type { SearchKind } from './search-index.ts';

/**
 * Brings a row of the catalog up to date. Only the columns that differ are written: each that is named has its
 * indexes written, and the pages that these lie on, whether or not it differs.
 *
 * @param values of the columns, in their order
 * @param also what is written in any case
 */
export function updateChanged(
  writer: Writer,
  kind: SearchKind,
  key: number,
  columns: readonly string[],
  values: readonly Value[],
  also: { last_seen_at: number; digest: Buffer },
): void {
  const sql = `SELECT ${columns.join(', ')} FROM ${kind}s WHERE ${kind}_key = ?`;
  const before = writer.get<Record<string, Value>>(sql, key);
  const changed: string[] = [];
  const written: Value[] = [];
  for (const [i, column] of columns.entries()) {
    const value = values[i] as Value;
    if (before?.[column] === value) continue;
    changed.push(column);
    written.push(value);
  }
  const columnsSet = [...changed, ...Object.keys(also)].map((column) => `${column} = ?`).join(', ');
  writer.run(
    `UPDATE ${kind}s SET ${columnsSet} WHERE ${kind}_key = ?`,
    ...written,
    ...Object.values(also),
    key,
  );
}
