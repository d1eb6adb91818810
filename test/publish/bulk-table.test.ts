import { writeToBuffer } from 'fast-csv';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { type Table, writeTable } from '../../src/publish/bulk/table.ts';

const columns = [
  { name: 'id', type: 'text' },
  { name: 'value', type: 'number' },
] as const satisfies Table['columns'];

const TEXTS = ['plain', 'a "b", c', 'two\nlines', '', null, '€ \u2028 漢'];

function rowOf(i: number) {
  const text = TEXTS[i % TEXTS.length] ?? null;
  return [text === 'plain' ? `plain ${i}` : text, i % 7 === 0 ? null : i / 3];
}

function* eachRow(count: number) {
  for (let i = 0; i < count; i++) yield rowOf(i);
}

// The boundaries of the row groups, and a table of three.
test.each([0, 1, 999, 1_000, 1_001, 101_000, 101_001])(
  '%d rows that are read one by one make the same file as a table that is written whole',
  async (count) => {
    const rows = Array.from({ length: count }, (_none, i) => rowOf(i));
    const files = await writeTable({ columns, rows: eachRow(count) });
    expect(files.rows).toBe(count);
    const whole = await writeToBuffer(
      rows.map((row) => row.map((cell) => cell ?? '')),
      {
        headers: columns.map((column) => column.name),
        alwaysWriteHeaders: true,
        includeEndRowDelimiter: true,
      },
    );
    expect(files.bodies.csv.equals(whole)).toBe(true);
    const types = { text: 'STRING', number: 'DOUBLE' } as const;
    const columnData = columns.map(({ name, type }, i) => {
      const data = rows.map((row) => row[i] ?? null);
      return { name, type: types[type], nullable: true, data };
    });
    const bytes = Buffer.from(parquetWriteBuffer({ columnData, createdBy: 'foremark' }));
    expect(files.bodies.parquet.equals(bytes)).toBe(true);
  },
);

test('a row that cannot be read fails the files', async () => {
  function* rows() {
    yield rowOf(1);
    throw new Error('unreadable');
  }
  await expect(writeTable({ columns, rows: rows() })).rejects.toThrow('unreadable');
});
