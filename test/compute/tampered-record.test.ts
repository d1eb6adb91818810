import { expect, it } from 'vitest';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { failureCode, hasCode } from '../../src/model/errors.ts';
import type { Store, Value, Writer } from '../../src/store/store.ts';
import { recordWorld } from './tampered-world.ts';

type Row = Record<string, Value>;
type Column = { name: string; type: string; notnull: number; pk: number };
type Tampering = { what: string; tamper: (writer: Writer) => void };

/** No part of the record of prints: the regulators' lists. */
const OTHER_RECORD = 'filing_changes';

/** What verify cannot find, and need not. */
const FREE: Record<string, string> = {
  'definitions.position': 'the order of presentation, which follows the files',
  'holdings +': 'holdings that no print has',
  'holdings.number': 'a number that only hashes of older prints cover',
  'index_receipts +': 'what entered no print',
  'rate_prints.print_id': 'a number of which the order alone counts',
  'record_links.link_id': 'a number of which the order alone counts',
  'restatements ><': 'the order, since each names its print',
  'restatements.restatement_id': 'a number that nothing refers to',
  'standings +': 'the state of a series that was never defined',
};

it('verify finds each value, row and pair of rows of the record that is not as it was recorded', () => {
  const store = recordWorld();
  store.write((writer) => writer.run('PRAGMA ignore_check_constraints = ON'));
  const tables = withoutTriggers(store);
  expect(isFound(store, () => {})).toBe(false);
  const tamperings = tables.flatMap((table) => listTamperings(store, table));
  expect(tamperings.length).toBeGreaterThan(400);
  const missed = tamperings.filter(({ tamper }) => !isFound(store, tamper)).map(({ what }) => what);
  expect([...new Set(missed)].sort()).toEqual(Object.keys(FREE).sort());
  store.close();
}, 120_000);

/** Drops the triggers of a store. @returns the tables that they protect, and those that verify derives from prints */
function withoutTriggers(store: Store): string[] {
  return store.write((writer) => {
    const triggers = writer.all<{ name: string; tbl_name: string; sql: string }>(
      "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'",
    );
    for (const { name } of triggers) writer.run(`DROP TRIGGER ${name}`);
    const protecting = triggers.filter(({ sql }) => sql.includes('raise(ABORT'));
    const tables = new Set([...protecting.map((each) => each.tbl_name), 'daily_closes', 'standings']);
    tables.delete(OTHER_RECORD);
    return [...tables];
  });
}

/** Whether verify finds a tampering, or the table itself refuses it; then it is undone. */
function isFound(store: Store, tamper: Tampering['tamper']): boolean {
  const undo = new Error('undo');
  let found = false;
  try {
    return store.write((writer) => {
      writer.run('PRAGMA defer_foreign_keys = ON');
      tamper(writer);
      found = verify(writer, []).differences.length > 0;
      throw undo;
    });
  } catch (thrown) {
    if (thrown === undo) return found;
    if (hasCode(thrown, 'store_unusable')) return true;
    if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(failureCode(thrown) ?? '')) return true;
    throw thrown;
  }
}

/**
 * The ways to tamper with a table: each column in a few rows, a row less, a row more, and two rows that change places.
 */
function listTamperings(store: Store, table: string): Tampering[] {
  const [columns, rows] = store.read((reader) => [
    reader.all<Column>(`PRAGMA table_info(${table})`),
    reader.all<Row>(`SELECT * FROM ${table}`),
  ]);
  const keys = columns.filter((each) => each.pk > 0).map((each) => each.name);
  const remove = (writer: Writer, row: Row) =>
    writer.run(`DELETE FROM ${table} WHERE ${keys.map((key) => `${key} = @${key}`).join(' AND ')}`, row);
  const insert = (writer: Writer, row: Row) =>
    writer.run(`INSERT INTO ${table} VALUES (${columns.map(({ name }) => `@${name}`).join()})`, row);
  const replacing = (what: string, from: Row[], to: Row[]): Tampering => ({
    what,
    tamper(writer) {
      for (const row of from) remove(writer, row);
      for (const row of to) insert(writer, row);
    },
  });
  const altered = columns.flatMap((column) => {
    const { name } = column;
    const hasNone = Map.groupBy(rows, (row) => row[name] === null);
    return [...hasNone.values()]
      .flatMap(ends)
      .flatMap((row) =>
        alterations(row[name] as Value, column).map((value) =>
          replacing(`${table}.${name}`, [row], [{ ...row, [name]: value }]),
        ),
      );
  });
  const less = ends(rows).map((row) => replacing(`${table} -`, [row], []));
  const toChange = [
    keys.at(-1),
    ['row_id', 'at', 'calculated_at', 'number'].find((name) => name in (rows[0] ?? {})),
  ];
  const more = ends(rows).map((row) => {
    const farOff = (name: string) =>
      typeof row[name] === 'string' ? `${row[name]}x` : Number(row[name]) + 1e6;
    const changed = toChange.flatMap((name) => (name === undefined ? [] : [[name, farOff(name)]]));
    return replacing(`${table} +`, [], [{ ...row, ...Object.fromEntries(changed) }]);
  });
  const swapped = (keys.length < columns.length ? rows.slice(1, 4) : []).map((row, i) => {
    const before = rows[i] as Row;
    const keyOf = (each: Row) => Object.fromEntries(keys.map((key) => [key, each[key] as Value]));
    return replacing(
      `${table} ><`,
      [before, row],
      [
        { ...row, ...keyOf(before) },
        { ...before, ...keyOf(row) },
      ],
    );
  });
  return [...altered, ...less, ...more, ...swapped];
}

/** The first and the last of some rows, if there are two. */
function ends(rows: readonly Row[]): Row[] {
  return rows.filter((_row, i) => i === 0 || i === rows.length - 1);
}

/** Other values than a stored one. */
function alterations(value: Value, { type, notnull, pk }: Column): Value[] {
  if (value === null) return [{ BLOB: Buffer.of(0), TEXT: 'x' }[type] ?? 1];
  return notnull || pk ? others(value, type) : [...others(value, type), null];
}

function others(value: NonNullable<Value>, type: string): Value[] {
  if (typeof value === 'string') return [`${value}x`];
  if (Buffer.isBuffer(value)) return [Buffer.from(value.map((byte, i) => (i === 0 ? byte ^ 1 : byte)))];
  if (type === 'INTEGER') return [(value as number) + 1, (value as number) - 1];
  return [(value as number) * (1 + 2 ** -50) || Number.MIN_VALUE];
}
