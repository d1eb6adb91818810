import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { failureCode, hasCode } from '../../src/model/errors.ts';
import { openStore, type Value } from '../../src/store/store.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { recordWorld } from './tampered-world.ts';

type Row = Record<string, Value>;
type Column = { name: string; type: string; notnull: number; pk: number };
type Tampering = { what: string; tamper: (database: Database.Database) => void };

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
  const folder = temporaryFolder();
  const path = join(folder, 'whole.db');
  recordWorld(path);
  const tables = withoutTriggers(path);
  expect(isFound(path, () => {})).toBe(false);
  const tamperings = tables.flatMap((table) => listTamperings(path, table));
  expect(tamperings.length).toBeGreaterThan(300);
  const missed = tamperings.filter(({ tamper }) => !isFound(path, tamper)).map(({ what }) => what);
  expect([...new Set(missed)].sort()).toEqual(Object.keys(FREE).sort());
}, 120_000);

/** Drops the triggers of a store. @returns the tables that they protect, and those that verify derives from prints */
function withoutTriggers(path: string): string[] {
  const database = new Database(path);
  const sql = "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'";
  const triggers = database.prepare(sql).all() as { name: string; tbl_name: string; sql: string }[];
  for (const { name } of triggers) database.exec(`DROP TRIGGER ${name}`);
  database.pragma('journal_mode = DELETE');
  database.close();
  const protecting = triggers.filter(({ sql }) => sql.includes('raise(ABORT'));
  const tables = new Set([...protecting.map((each) => each.tbl_name), 'daily_closes', 'standings']);
  tables.delete(OTHER_RECORD);
  return [...tables];
}

/** Whether verify finds a tampering with a copy of a store, or the table itself refuses it. */
function isFound(path: string, tamper: Tampering['tamper']): boolean {
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  const database = new Database(copy);
  database.pragma('synchronous = OFF');
  database.pragma('foreign_keys = OFF');
  database.pragma('ignore_check_constraints = ON');
  try {
    tamper(database);
  } catch (thrown) {
    if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(failureCode(thrown) ?? '')) return true;
    throw thrown;
  } finally {
    database.close();
  }
  const store = openStore(copy, { readonly: true });
  try {
    return store.read((reader) => verify(reader, [])).differences.length > 0;
  } catch (thrown) {
    if (hasCode(thrown, 'store_unusable')) return true;
    throw thrown;
  } finally {
    store.close();
  }
}

/**
 * The ways to tamper with a table: each column in a few rows, a row less, a row more, and two rows that change places.
 */
function listTamperings(path: string, table: string): Tampering[] {
  const database = new Database(path, { readonly: true });
  const columns = database.pragma(`table_info(${table})`) as Column[];
  const rows = database.prepare(`SELECT * FROM ${table}`).all() as Row[];
  database.close();
  const keys = columns.filter((each) => each.pk > 0).map((each) => each.name);
  const remove = (each: Database.Database, row: Row) =>
    each
      .prepare(`DELETE FROM ${table} WHERE ${keys.map((key) => `${key} = @${key}`).join(' AND ')}`)
      .run(row);
  const insert = (each: Database.Database, row: Row) =>
    each.prepare(`INSERT INTO ${table} VALUES (${columns.map(({ name }) => `@${name}`).join()})`).run(row);
  const replacing = (what: string, from: Row[], to: Row[]): Tampering => ({
    what,
    tamper(each) {
      for (const row of from) remove(each, row);
      for (const row of to) insert(each, row);
    },
  });
  const altered = columns.flatMap((column) => {
    const { name } = column;
    const hasNone = Map.groupBy(rows, (row) => row[name] === null);
    return [...hasNone.values()]
      .flatMap(ends)
      .flatMap((row, i) =>
        alterations(row[name] as Value, column, i).map((value) =>
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

/** Other values than a stored one; integers in turn one less and one more. */
function alterations(value: Value, { type, notnull, pk }: Column, turn: number): Value[] {
  if (value === null) return [{ BLOB: Buffer.of(0), TEXT: 'x' }[type] ?? 1];
  const other = otherThan(value, type, turn);
  return notnull || pk ? [other] : [other, null];
}

function otherThan(value: NonNullable<Value>, type: string, turn: number): Value {
  if (typeof value === 'string') return `${value}x`;
  if (Buffer.isBuffer(value)) return Buffer.from(value.map((byte, i) => (i === 0 ? byte ^ 1 : byte)));
  if (type === 'INTEGER') return (value as number) + (turn % 2 === 0 ? -1 : 1);
  return (value as number) * (1 + 2 ** -50) || Number.MIN_VALUE;
}
