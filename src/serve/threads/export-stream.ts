import { Readable } from 'node:stream';
import { csvLines } from '../../routes/csv.ts';
import { encode } from '../../routes/encode.ts';
import type { ExportFormat, ExportRoute } from '../../routes/route.ts';

/** The rows of an export as a stream of text, produced as it is read. */
export function exportStream(
  { columns }: Pick<ExportRoute, 'columns'>,
  rows: Iterable<object>,
  ext: ExportFormat,
): Readable {
  return ext === 'csv' || ext === 'tsv'
    ? csvLines(columns, cellsOf(columns, rows), ext === 'csv' ? ',' : '\t')
    : Readable.from(lines(rows, ext), { objectMode: false });
}

function* cellsOf(columns: readonly string[], rows: Iterable<object>): Generator<unknown[]> {
  for (const row of rows) {
    const fields = new Map(Object.entries(row));
    yield columns.map((column) => {
      const value: unknown = fields.get(column);
      return typeof value === 'object' && value !== null ? encode(value) : value;
    });
  }
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
