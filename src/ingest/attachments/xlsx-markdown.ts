import readSheets, { type CellValue } from 'read-excel-file/node';
import { greatestOf } from '../../model/extremes.ts';
import type { DocumentText } from '../../store/filings/filing-documents.ts';
import { oneLine } from '../wire/plain-text.ts';
import { lineToMarkdown } from './plain-markdown.ts';
import { readableCells } from './xlsx-cells.ts';

const MOST_ROWS = 5000;

/** The sheets of an xlsx file, each a table under its name. */
export async function xlsxToMarkdown(bytes: Uint8Array): Promise<DocumentText> {
  const sheets = await readSheets(Buffer.from(readableCells(bytes)));
  const tables = sheets.flatMap(({ sheet, data }) => {
    // A sheet that is only a chart has no rows, whatever the type says.
    const rows = ((data as typeof data | undefined) ?? []).filter((row) => row.some((cell) => cell !== null));
    const width = greatestOf(rows.map((row) => row.length)) ?? 0;
    const [header, ...lines] = rows.slice(0, MOST_ROWS).map((row) => lineOf(row, width));
    if (header === undefined) return [];
    const rule = `|${' --- |'.repeat(width)}`;
    const left = rows.length - MOST_ROWS;
    return [
      `### ${lineToMarkdown(oneLine(sheet))}\n\n${[header, rule, ...lines].join('\n')}` +
        (left > 0 ? `\n\n(${left} more rows were left out.)` : ''),
    ];
  });
  return tables.length > 0
    ? { markdown: tables.join('\n\n'), pages: null }
    : { problem: 'its sheets hold no rows' };
}

function lineOf(row: readonly (CellValue | null)[], width: number): string {
  const cells = Array.from({ length: width }, (_, i) => cellText(row[i] ?? null));
  return `| ${cells.join(' | ')} |`;
}

function cellText(cell: CellValue | null): string {
  if (cell === null) return '';
  const text = cell instanceof Date ? dateText(cell) : String(cell);
  return lineToMarkdown(oneLine(text)).replaceAll('|', '\\|');
}

// Dates of a sheet have no time zone; one at midnight is shown as a day. A number that is no date may be formatted as one.
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const [day = '', time = ''] = date.toISOString().split('T');
  return time === '00:00:00.000Z' ? day : `${day} ${time.slice(0, 8)}`;
}
