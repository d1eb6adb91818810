import { Readable } from 'node:stream';
import { format } from 'fast-csv';
import { encode } from '../../routes/encode.ts';
import type { ExportFormat, ExportRoute } from '../../routes/route.ts';
import { spreadsheetText } from '../../routes/spreadsheet-cell.ts';

/** The rows of an export as a stream of text, produced as it is read. */
export function exportStream(
  { columns }: Pick<ExportRoute, 'columns'>,
  rows: Iterable<object>,
  ext: ExportFormat,
): Readable {
  return ext === 'csv' || ext === 'tsv'
    ? table(columns, rows, ext)
    : Readable.from(lines(rows, ext), { objectMode: false });
}

function table(columns: readonly string[], rows: Iterable<object>, ext: 'csv' | 'tsv'): Readable {
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

function* cellsOf(columns: readonly string[], rows: Iterable<object>): Generator<unknown[]> {
  for (const row of rows) {
    const fields = new Map(Object.entries(row));
    yield columns.map((column) => cellOf(fields.get(column)));
  }
}

function cellOf(value: unknown): unknown {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') return encode(value);
  return typeof value === 'string' ? spreadsheetText(value) : value;
}

function* lines(rows: Iterable<object>, ext: 'json' | 'ndjson'): Generator<string> {
  if (ext === 'ndjson') {
    for (const row of rows) yield `${encode(row)}\n`;
    return;
  }
  let before = '{"data":[';
  for (const row of rows) {
    yield before + encode(row);
    before = ',';
  }
  yield before === ',' ? ']}' : `${before}]}`;
}
