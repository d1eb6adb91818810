import type { Instant } from '../../model/units.ts';
import { RowInsertion } from '../many-rows.ts';
import { digestBytes, digestOf, valuesOf } from '../row-values.ts';
import type { Value, Writer } from '../store.ts';
import { forgetPagesSeenAt } from './page-notes.ts';
import type { SearchKind } from './search-index.ts';

/** The columns of a row by which changes of its record are found. */
export interface StandingRow {
  key: number;
  /** Hexadecimal: text is cheaper to read than bytes. */
  digest: string;
  last_seen_at: Instant;
}

/**
 * Makes the function that inserts or updates the rows of events, or of markets. It returns the keys of all records by
 * id, the new or changed records by key, and how many had already been seen at the same instant. Inserts and updates
 * are separate statements: with foreign keys on, an upsert takes four times as long.
 *
 * @param giveKeys assigns keys to new records, by id
 */
export function rowWriter<Item extends object>(
  kind: SearchKind,
  columns: readonly (keyof Item & string)[],
  giveKeys: (writer: Writer, ids: readonly string[]) => ReadonlyMap<string, number>,
) {
  const rows = new RowInsertion({
    table: `${kind}s`,
    columns: [`${kind}_key`, 'digest', ...columns],
    constant: ['first_seen_at', 'last_seen_at'],
  });
  return (
    writer: Writer,
    records: ReadonlyMap<string, Item>,
    known: ReadonlyMap<string, StandingRow>,
    seenAt: Instant,
  ) => {
    const unknown = [...records.keys()].filter((id) => !known.has(id));
    const given = giveKeys(writer, unknown);
    const keys = new Map<string, number>();
    const changed = new Map<number, Item>();
    const added: Value[] = [];
    const unchanged: number[] = [];
    let again = 0;
    for (const [id, record] of records) {
      const before = known.get(id);
      const key = (before ? before.key : given.get(id)) as number;
      const values = valuesOf(columns, record);
      const digest = digestOf(values);
      keys.set(id, key);
      if (before?.last_seen_at === seenAt) again++;
      if (before?.digest === digest) {
        unchanged.push(key);
        continue;
      }
      if (before?.last_seen_at === seenAt) forgetPagesSeenAt(writer, seenAt);
      const also = { last_seen_at: seenAt, digest: digestBytes(digest) };
      if (before) updateChanged(writer, kind, key, columns, values, also);
      else added.push(key, also.digest, ...values);
      changed.set(key, record);
    }
    rows.insert(writer, added, [seenAt, seenAt]);
    noteSeen(writer, kind, unchanged, seenAt);
    return { keys, changed, again };
  };
}

// Updates only the columns that differ: SQLite rewrites the indexes of each column that an UPDATE names, even when its
// value stays the same.
function updateChanged(
  writer: Writer,
  kind: SearchKind,
  key: number,
  columns: readonly string[],
  values: readonly Value[],
  also: { last_seen_at: Instant; digest: Buffer },
): void {
  const sql = `SELECT ${columns.join(', ')} FROM ${kind}s WHERE ${kind}_key = ?`;
  const before = writer.get<Record<string, Value>>(sql, key);
  const places = [...columns.keys()].filter((i) => before?.[columns[i] as string] !== values[i]);
  const named = [...places.map((i) => columns[i]), ...Object.keys(also)];
  writer.run(
    `UPDATE ${kind}s SET ${named.map((column) => `${column} = ?`).join(', ')} WHERE ${kind}_key = ?`,
    ...places.map((i) => values[i] as Value),
    ...Object.values(also),
    key,
  );
}

function noteSeen(writer: Writer, kind: SearchKind, keys: readonly number[], seenAt: Instant): void {
  if (keys.length === 0) return;
  writer.run(
    `UPDATE ${kind}s SET last_seen_at = ? WHERE ${kind}_key IN (SELECT value FROM json_each(?))`,
    seenAt,
    JSON.stringify(keys),
  );
}
