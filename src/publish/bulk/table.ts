import { spreadsheetText } from '../../routes/spreadsheet-cell.ts';

/** A cell: text, a number, or absent. */
type Cell = string | number | boolean | null;

/** A column of a bulk file. Instants are RFC 3339 text, so that every reader takes them alike. */
export interface Column {
  name: string;
  type: 'text' | 'number' | 'boolean';
}

/** Rows under columns, in the order of the columns. */
export interface Table {
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
}

/** A table as CSV with a header line; text that a spreadsheet would run is led by an apostrophe. */
export async function toCsv({ columns, rows }: Table): Promise<Buffer> {
  const { writeToBuffer } = await import('fast-csv');
  const safe = (cell: Cell | undefined) => (typeof cell === 'string' ? spreadsheetText(cell) : (cell ?? ''));
  return writeToBuffer(
    rows.map((row) => columns.map((_, i) => safe(row[i]))),
    { headers: columns.map((column) => column.name), alwaysWriteHeaders: true, includeEndRowDelimiter: true },
  );
}

const PARQUET_TYPE = { text: 'STRING', number: 'DOUBLE', boolean: 'BOOLEAN' } as const;

/** A table as Parquet (Snappy); every column may be null. */
export async function toParquet({ columns, rows }: Table): Promise<Buffer> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const columnData = columns.map(({ name, type }, i) => ({
    name,
    type: PARQUET_TYPE[type],
    nullable: true,
    data: rows.map((row) => row[i] ?? null),
  }));
  return Buffer.from(parquetWriteBuffer({ columnData, createdBy: 'foremark' }));
}
