/** The peer of the ingest bench: the sqlite3 shell's `.import` of the same data as CSV into the same tables. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from 'simple-statistics';

/** Whether the sqlite3 shell (Debian package sqlite3) is installed. */
export function hasShell(): boolean {
  return spawnSync('sqlite3', ['--version']).status === 0;
}

/** Rows that the shell imports into one table. */
export interface ImportTable {
  name: string;
  rows: readonly (string | number | null)[][];
}

/**
 * Seconds that the shell takes for the import alone, without its start, and with a page cache of the size that a store
 * has.
 *
 * @param schema makes the tables
 */
export function importSeconds(folder: string, schema: string, tables: readonly ImportTable[]): number {
  const imports = tables.map(({ name, rows }) => {
    const csv = join(folder, `${name}.csv`);
    writeFileSync(csv, rows.map((row) => row.map(cell).join(',')).join('\n'));
    return `.import ${csv} ${name}\n`;
  });
  const file = join(folder, `import-${process.hrtime.bigint()}.db`);
  run(file, `PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${schema}`);
  const started = performance.now();
  run(file, 'SELECT 1;');
  const startUp = performance.now() - started;
  const from = performance.now();
  run(file, `PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;\n.mode csv\n${imports.join('')}`);
  return (performance.now() - from - startUp) / 1000;
}

function run(file: string, input: string): void {
  const { status, stderr } = spawnSync('sqlite3', [file], { input });
  if (status !== 0) throw new Error(`sqlite3: ${String(stderr).slice(0, 500)}`);
}

function cell(value: string | number | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/**
 * How many times as fast as the shell something was, as text.
 *
 * @param measured seconds of the shell; empty if it is not installed
 */
export function shellRatio(measured: readonly number[], ours: number): string {
  return measured.length === 0
    ? 'no sqlite3 shell; install the Debian package sqlite3'
    : `${(median(measured) / ours).toFixed(2)} x`;
}
