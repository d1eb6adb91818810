import type { Value, Writer } from './store.ts';

/** Rows of one statement: more of them gain nothing. */
const MOST_ROWS = 32;

/** An INSERT without its rows. */
export interface Insertion {
  /** Up to VALUES. */
  into: string;
  /** From ON CONFLICT on. */
  otherwise?: string;
}

/**
 * Inserts rows in their order, many with one statement: a statement a row takes twice the time.
 *
 * @param rows values of each, the same number of them
 */
export function insertRows(
  writer: Writer,
  { into, otherwise = '' }: Insertion,
  rows: readonly (readonly Value[])[],
): void {
  const width = rows[0]?.length ?? 0;
  let size = MOST_ROWS;
  for (let from = 0; from < rows.length; from += size) {
    // Halves of a whole statement: few different ones are prepared.
    while (size > rows.length - from) size /= 2;
    const sql = `${into} VALUES ${placesOf(size, width)} ${otherwise}`;
    writer.run(sql, ...rows.slice(from, from + size).flat());
  }
}

function placesOf(rows: number, width: number): string {
  const row = `(${Array(width).fill('?').join(', ')})`;
  return Array(rows).fill(row).join(', ');
}
