import { parseString } from 'fast-csv';
import { ForemarkError } from '../model/errors.ts';

/** A file's rows by the names of its header. */
export interface CsvFile {
  rows: Record<string, string>[];
  /** Rows that have other columns than the header: their place in the file, from 0, and how many they have. */
  misshapen: { position: number; columns: number }[];
  /** Whether the last row is one of those: the file was read while it was written. */
  cut: boolean;
}

/**
 * Reads a file with a header; cells in quotes may hold commas.
 *
 * @throws ForemarkError invalid_payload when it ends inside a quoted cell, or is no CSV
 */
export async function parseCsv(body: Buffer): Promise<CsvFile> {
  const file: CsvFile = { rows: [], misshapen: [], cut: false };
  let position = 0;
  await new Promise<void>((resolve, reject) => {
    parseString(body.toString('utf8'), { headers: true, strictColumnHandling: true, ignoreEmpty: true })
      .on('data', (row: Record<string, string>) => {
        file.rows.push(row);
        file.cut = false;
        position++;
      })
      .on('data-invalid', (cells: string[]) => {
        file.misshapen.push({ position, columns: cells.length });
        file.cut = true;
        position++;
      })
      .on('error', (cause: Error) =>
        reject(
          new ForemarkError('invalid_payload', 'file is cut off or no CSV', { detail: cause.message, cause }),
        ),
      )
      .on('end', () => resolve());
  });
  return file;
}
