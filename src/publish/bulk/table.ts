/** A cell: text, a number, or absent. */
type Cell = string | number | null;

/** A column of a bulk file. Instants are RFC 3339 text, so that every reader takes them alike. */
interface Column {
  name: string;
  type: 'text' | 'number';
}

/** A column, and its value in a record. */
export interface ColumnOf<Item> extends Column {
  of(item: Item): Cell;
}

export function text<Item>(name: string, of: (item: Item) => string | null | undefined): ColumnOf<Item> {
  return { name, type: 'text', of: (item) => of(item) ?? null };
}

export function number<Item>(name: string, of: (item: Item) => number | null | undefined): ColumnOf<Item> {
  return { name, type: 'number', of: (item) => of(item) ?? null };
}

export function tableOf<Item>(columns: readonly ColumnOf<Item>[], items: Iterable<Item>): Table {
  function* rows() {
    for (const item of items) yield columns.map(({ of }) => of(item));
  }
  return { columns, rows: rows() };
}

/** Rows with their cells in the order of the columns; iterated once, so that they need not all be in memory. */
export interface Table {
  columns: readonly Column[];
  rows: Iterable<readonly Cell[]>;
}

export const FORMATS = ['csv', 'parquet'] as const;

/** Writes a table in every format, in one walk over its rows. @returns their number, and the bytes by format */
export async function writeTable({ columns, rows }: Table) {
  const parquet = await openParquet(columns);
  function* written() {
    for (const row of rows) {
      parquet.add(row);
      yield row;
    }
  }
  const csv = await toCsv({ columns, rows: written() });
  return { rows: parquet.rows(), bodies: { csv, parquet: parquet.finish() } };
}

/** Lines arrive one by one, and are joined into parts of about this size. */
const PART_BYTES = 1024 * 1024;

async function toCsv({ columns, rows }: Table): Promise<Buffer> {
  // Loaded here, as hyparquet-writer is below, so that only bulk files pay for it.
  const { csvLines } = await import('../../routes/csv.ts');
  const headers = columns.map((column) => column.name);
  const parts: Buffer[] = [];
  let part: Buffer[] = [];
  let bytes = 0;
  for await (const line of csvLines(headers, rows) as AsyncIterable<Buffer>) {
    part.push(line);
    bytes += line.byteLength;
    if (bytes < PART_BYTES) continue;
    parts.push(Buffer.concat(part));
    part = [];
    bytes = 0;
  }
  return Buffer.concat([...parts, ...part]);
}

const PARQUET_TYPE = { text: 'STRING', number: 'DOUBLE' } as const;

/** Rows of the first group, which readers preview, and of the others. */
const FIRST_GROUP = 1_000;
const GROUP = 100_000;

/** Parquet (Snappy), a group of rows at a time; every column may be null. */
async function openParquet(columns: readonly Column[]) {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const emptyGroup = () =>
    columns.map(({ name, type }) => ({
      name,
      type: PARQUET_TYPE[type],
      nullable: true,
      data: [] as Cell[],
    }));
  let group = emptyGroup();
  const writer = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: group });
  const file = new ParquetWriter({ writer, schema, createdBy: 'foremark' });
  let rows = 0;
  let waiting = 0;
  const writeGroup = () => {
    if (waiting > 0) file.write({ columnData: group, rowGroupSize: waiting });
    group = emptyGroup();
    waiting = 0;
  };
  return {
    rows: () => rows,
    add(row: readonly Cell[]): void {
      for (const [i, column] of group.entries()) column.data.push(row[i] ?? null);
      rows++;
      waiting++;
      if (rows === FIRST_GROUP || waiting === GROUP) writeGroup();
    },
    finish(): Buffer {
      writeGroup();
      file.finish();
      return Buffer.from(writer.getBuffer());
    },
  };
}
