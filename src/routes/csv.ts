import { Readable } from 'node:stream';
import { format } from 'fast-csv';

/** Characters that a spreadsheet takes for the start of a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * Rows as CSV with a header line, line by line as they are read. An absent cell is empty; a text that a spreadsheet would
 * run as a formula gets a leading apostrophe.
 */
export function csvLines(
  headers: readonly string[],
  rows: Iterable<readonly unknown[]>,
  delimiter = ',',
): Readable {
  function* written() {
    for (const row of rows) yield row.map(cellOf);
  }
  const writer = format({
    headers: [...headers],
    alwaysWriteHeaders: true,
    includeEndRowDelimiter: true,
    delimiter,
  });
  const cells = Readable.from(written());
  cells.once('error', (thrown) => writer.destroy(thrown));
  writer.once('close', () => cells.destroy());
  return cells.pipe(writer);
}

function cellOf(value: unknown): unknown {
  return typeof value === 'string' && FORMULA.test(value) ? `'${value}` : (value ?? '');
}
