import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { format } from 'fast-csv';
import { encode } from '../routes/encode.ts';
import type { ExportFormat, ExportRoute } from '../routes/route.ts';
import { spreadsheetText } from '../routes/spreadsheet-cell.ts';

export const EXPORT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  tsv: 'text/tab-separated-values; charset=utf-8; header=present',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
};

/** Rows after which other requests get their turn. */
const ROWS_A_TURN = 100;

/**
 * The rows of an export as a stream of text, made as they are read.
 *
 * @param end is called once, however the stream ends
 */
export function exportStream(
  { columns }: Pick<ExportRoute, 'columns'>,
  rows: Iterable<object>,
  ext: ExportFormat,
  end: () => void,
): Readable {
  const turns = inTurns(rows);
  const source =
    ext === 'csv' || ext === 'tsv'
      ? table(columns, turns, ext)
      : Readable.from(lines(turns, ext), { objectMode: false });
  return source.once('close', end);
}

async function* inTurns(rows: Iterable<object>): AsyncGenerator<object> {
  let count = 0;
  for (const row of rows) {
    if (++count % ROWS_A_TURN === 0) await setImmediate();
    yield row;
  }
}

function table(columns: readonly string[], rows: AsyncIterable<object>, ext: 'csv' | 'tsv'): Readable {
  const writer = format({
    headers: [...columns],
    alwaysWriteHeaders: true,
    includeEndRowDelimiter: true,
    delimiter: ext === 'csv' ? ',' : '\t',
  });
  const cells = Readable.from(cellsOf(columns, rows));
  cells.once('error', (thrown) => writer.destroy(thrown));
  writer.once('close', () => cells.destroy());
  return cells.pipe(writer);
}

async function* cellsOf(columns: readonly string[], rows: AsyncIterable<object>): AsyncGenerator<unknown[]> {
  for await (const row of rows) {
    const fields = new Map(Object.entries(row));
    yield columns.map((column) => cellOf(fields.get(column)));
  }
}

function cellOf(value: unknown): unknown {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') return encode(value);
  return typeof value === 'string' ? spreadsheetText(value) : value;
}

async function* lines(rows: AsyncIterable<object>, ext: 'json' | 'ndjson'): AsyncGenerator<string> {
  if (ext === 'ndjson') {
    for await (const row of rows) yield `${encode(row)}\n`;
    return;
  }
  let before = '{"data":[';
  for await (const row of rows) {
    yield before + encode(row);
    before = ',';
  }
  yield before === ',' ? ']}' : `${before}]}`;
}
