/** The rows that catalog pages leave in a store, in a form that the sqlite3 shell can import. */
import type { Reader } from '../../src/store/store.ts';
import type { ImportTable } from './sqlite-import.ts';

type Row = Record<string, string | number | null | Buffer>;

const TABLES = [
  'events',
  'market_names',
  'markets',
  'market_statuses',
  'latest_quotes',
  'price_tail',
  'changed_texts',
  'event_search',
  'market_search',
];

/**
 * The search index does not keep its words as text, so the import gets the texts themselves, which have as many words.
 */
const WORDS = {
  event_words: `SELECT concat_ws(' ', title, native_id, slug, series, category), description, substr(event_id, 1, 7) FROM events`,
  market_words: `SELECT concat_ws(' ', question, native_id, slug, event_slug, yes_sub_title),
    concat_ws(' ', description, rules_primary), substr(market_id, 1, 7) FROM markets`,
};

/** The parts of a schema that an import does not check, or that the shell may be too old for. */
const NOT_HELD = / REFERENCES \w+( \(\w+\))?| CHECK \(.*\)(?=,?\n)| STRICT(, )?|, contentless_delete = 1/g;

/**
 * The tables with their rows, and the schema that they are imported into, indexes included. Blobs are replaced by texts
 * of as many x.
 */
export function catalogTables(reader: Reader): { schema: string; tables: ImportTable[] } {
  const names = [...TABLES, ...Object.keys(WORDS)];
  const schema = reader
    .all<{ sql: string }>(
      `SELECT sql FROM sqlite_schema
       WHERE tbl_name IN (SELECT value FROM json_each(?)) AND type <> 'trigger' AND sql IS NOT NULL`,
      JSON.stringify(names),
    )
    .map(({ sql }) => `${sql.replace(NOT_HELD, '')};`)
    .join('\n');
  const tables = [
    ...TABLES.map((name) => ({ name, rows: rowsOf(reader, `SELECT * FROM ${name}`) })),
    ...Object.entries(WORDS).map(([name, sql]) => ({ name, rows: rowsOf(reader, sql) })),
  ];
  return { schema, tables };
}

function rowsOf(reader: Reader, sql: string): (string | number | null)[][] {
  return reader
    .all<Row>(sql)
    .map((row) =>
      Object.values(row).map((value) => (Buffer.isBuffer(value) ? 'x'.repeat(value.length) : value)),
    );
}
