import { strToU8, zipSync } from 'fflate';

/** Spreadsheets by hand: one sheet of texts, stored without compression, the same bytes for the same rows. */

/** An xlsx file with one sheet. */
export function writeXlsx(sheet: string, rows: readonly (readonly string[])[]): Buffer {
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  return writeZip({
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="${escapeMarkup(sheet)}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`,
  });
}

function rowXml(row: readonly string[], i: number): string {
  const cells = row.map(
    (text, column) =>
      `<c r="${String.fromCharCode(65 + column)}${i + 1}" t="inlineStr"><is><t>${escapeMarkup(text)}</t></is></c>`,
  );
  return `<row r="${i + 1}">${cells.join('')}</row>`;
}

/** Text inside XML or HTML. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

// Every entry has the zip format's first day as its date.
const FIRST_DAY = new Date(1980, 0, 1);

function writeZip(files: Record<string, string>): Buffer {
  const entries = Object.entries(files).map(
    ([name, text]) =>
      [name, strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`)] as const,
  );
  return Buffer.from(zipSync(Object.fromEntries(entries), { level: 0, mtime: FIRST_DAY }));
}
