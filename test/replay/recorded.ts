import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isCalendarDay } from '../../src/model/time.ts';

/** A JSON object as it stood on the wire: no field is promised. */
export type WireRow = Record<string, unknown>;

/** Folder of the recorded venue data; REAL_DATA names another one. */
export const recordedFolder = process.env.REAL_DATA ?? resolve(import.meta.dirname, '../../../shared/real');

/** Names of files that hold records. */
export const RECORDS = /\.(csv|tsv|json|jsonl)(\.gz)?$/;

/** A file of each set whose numbers tests know, its size in bytes, and how many files of records stand beside it. */
const KNOWN: readonly [path: string, bytes: number, files: number][] = [
  ['kalshi-api-2026-01/events_list_response.json', 2259, 24],
  ['polymarket-wire-2025-11/clob_markets_page1.json.gz', 416_724, 2],
  ['us-president-2024-by-state/csv_hour/PA_hourly.csv.gz', 14_577, 30],
  ['predictit-2020-by-state/predictit_states_2020-06_to_09.csv.gz', 112_731, 1],
  ['fed-dec-2025-two-venue-books/no_change_30min_part1.csv', 319_375, 1],
  ['two-venue-live-2026-08/snapshots_part1.jsonl.gz', 78_871, 1],
  ['world-cup-2026-teams/polymarket_history_8_groups.csv.gz', 52_258, 3],
];

/**
 * True when the recordings that tests know the numbers of are on this machine; these tests are skipped otherwise. Other
 * recordings, and these with others among them, have other numbers: they are for `npm run real`.
 */
export const hasRecorded = KNOWN.every(([path, bytes, files]) => {
  const stats = statSync(resolve(recordedFolder, path), { throwIfNoEntry: false });
  return stats?.size === bytes && recordedFiles(dirname(path), RECORDS).length === files;
});

/** Folders of the recorded data, sorted. */
export function recordedFolders(): string[] {
  if (!existsSync(recordedFolder)) return [];
  const entries = readdirSync(recordedFolder, { withFileTypes: true });
  return entries.flatMap((each) => (each.isDirectory() ? each.name : [])).sort();
}

/**
 * The folder of a set: the one with its name or, where there is none, the first that has a file of the set.
 *
 * @param telling matches the paths, below the folder, of files that only this set has
 */
export function recordedSet(name: string, telling: RegExp): string {
  const folders = recordedFolders();
  if (folders.includes(name)) return name;
  const hasFile = (folder: string) =>
    readdirSync(resolve(recordedFolder, folder), { encoding: 'utf8', recursive: true }).some((path) =>
      telling.test(path),
    );
  return folders.find(hasFile) ?? name;
}

/** Paths of the recorded files of a folder whose name matches, sorted; none when the folder was not recorded. */
export function recordedFiles(folder: string, name: RegExp): string[] {
  const path = resolve(recordedFolder, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((each) => name.test(each))
    .sort()
    .map((each) => join(folder, each));
}

/** Text of one recorded file, unpacked when its name ends in .gz, without a byte order mark; throws when it is absent. */
function readText(path: string): string {
  const bytes = readFileSync(resolve(recordedFolder, path));
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').replace(/^\ufeff/, '');
}

/** One recorded JSON file, without the `{_metadata, response}` wrapper some recorders put around it. */
export function readWire(path: string): unknown {
  const parsed = parseJson(path, readText(path));
  return isRow(parsed) && '_metadata' in parsed && 'response' in parsed ? parsed.response : parsed;
}

/** The records of a recorded file that has one a line; a line ends at a line feed and nothing else. */
export function readLines(path: string): unknown[] {
  return readText(path)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => parseJson(path, line));
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}

/** A recorded answer that is an object; throws when it is anything else. */
export function readWireRow(path: string): WireRow {
  const wire = readWire(path);
  if (!isRow(wire)) throw new Error(`${path} must hold an object`);
  return wire;
}

/** The list under `key` of a recorded row, or the row itself when it is a list; throws on anything else. */
export function rowsOf(wire: unknown, key?: string): WireRow[] {
  const list = key !== undefined && isRow(wire) ? wire[key] : wire;
  if (!Array.isArray(list)) throw new Error(`a list was expected${key === undefined ? '' : ` under ${key}`}`);
  return list.filter(isRow);
}

/** True for a JSON object that is not a list. */
export function isRow(value: unknown): value is WireRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A cell, in quotes or not, after the comma before it. */
const CELL = /,(?:"((?:[^"]|"")*)"|([^,]*))/g;

function cellsOf(line: string): string[] {
  return Array.from(
    `,${line}`.matchAll(CELL),
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  );
}

/**
 * Rows of a recorded CSV file by column name; a row is a line, and one of another width than the header is an error.
 *
 * @param columns those that are read: a file without one of them is another kind of table, and an error
 */
export function readTable(path: string, columns: readonly string[] = []): Record<string, string>[] {
  const [header, ...lines] = readText(path)
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map(cellsOf);
  const missing = columns.filter((name) => !header?.includes(name));
  if (missing.length > 0) throw new Error(`${path} lacks the columns ${missing.join(', ')}`);
  if (header === undefined) return [];
  return lines.map((cells, i) => {
    if (cells.length !== header.length) throw new Error(`${path} row ${i + 2}: ${cells.length} cells`);
    return Object.fromEntries(header.map((name, column) => [name, cells[column] ?? '']));
  });
}

/** Whether a cell says that there is nothing to tell. */
export function isNone(cell = ''): boolean {
  return /^(|nan|none|null|n\/a)$/i.test(cell);
}

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?\s*(Z|[+-]\d\d:?\d\d)?$/;

/**
 * The instant that a cell of a table tells: a day, or a day and a time, in UTC where no zone stands beside it; or
 * seconds since 1970. Undefined for anything else.
 */
export function findInstant(cell: string): number | undefined {
  if (/^\d{10}(\.\d+)?$/.test(cell)) return Math.round(Number(cell) * 1000);
  const [, day, time = '00:00', zone = 'Z'] = WRITTEN.exec(cell.trim()) ?? [];
  const at = day === undefined || !isCalendarDay(day) ? Number.NaN : Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(at) ? undefined : at;
}

/** The instant of a cell; throws on one that tells none. */
export function instantIn(cell: string | undefined): number {
  const at = findInstant(cell ?? '');
  if (at === undefined) throw new Error(`a day, a time or seconds since 1970 were expected, got "${cell}"`);
  return at;
}
