import { load } from 'cheerio/slim';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const SHEET = /(?:^|\/)worksheets\/[^/]+\.xml$/i;
/** A cell without an address, or the end of a formula without a value. */
const INCOMPLETE = /<c(?=[\s/>])(?![^>]*\sr\s*=)|<\/f>\s*<(?:\/c|v\s*\/|v><\/v)>/;
const WORKBOOK = /(?:^|\/)workbook[^/]*\.xml$/i;

/** Whether a zip file is one of sheets. */
export function isXlsx(bytes: Uint8Array): boolean {
  return Object.keys(unzipSync(bytes, { filter: ({ name }) => WORKBOOK.test(name) })).length > 0;
}

/**
 * Gives the cells of an xlsx file what the library for sheets needs. Where some have no address, these get theirs: OOXML
 * lets a program leave it out, so that such a cell follows on the one before it, and such a row on the row before it. A
 * formula without a value, as a program writes that does not calculate, becomes a text.
 *
 * @see ECMA-376, part 1, 18.3.1.4, 18.3.1.40 and 18.3.1.73
 */
export function readableCells(bytes: Uint8Array): Uint8Array {
  const sheets = Object.entries(unzipSync(bytes, { filter: ({ name }) => SHEET.test(name) }));
  const texts = sheets.map(([name, sheet]) => [name, strFromU8(sheet)] as const);
  const incomplete = texts.filter(([, text]) => INCOMPLETE.test(text));
  if (incomplete.length === 0) return bytes;
  const completed = incomplete.map(([name, text]) => [name, strToU8(completeCells(text))]);
  return zipSync({ ...unzipSync(bytes), ...Object.fromEntries(completed) }, { level: 0 });
}

function completeCells(sheet: string): string {
  const $ = load(sheet, { xml: true });
  let row = 0;
  for (const line of $('sheetData > row')) {
    row = Number($(line).attr('r') ?? row + 1);
    let column = 0;
    for (const cell of $(line).children('c')) {
      const address = $(cell).attr('r');
      column = address === undefined ? column + 1 : columnNumber(address);
      if (address === undefined) $(cell).attr('r', `${columnName(column)}${row}`);
      const [formula, value] = ['f', 'v'].map((name) => $(cell).children(name).text());
      // A calculated text may be empty.
      if (!formula || value || $(cell).attr('t') === 'str') continue;
      $(cell).attr('t', 'str').html('<v/>').children().text(`=${formula}`);
    }
  }
  return $.xml();
}

/** The number of a cell's column, from 1. @example columnNumber('AB7') // 28 */
function columnNumber(address: string): number {
  const letters = /^[A-Z]*/i.exec(address)?.[0].toUpperCase() ?? '';
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}

/** The letters of a column. @example columnName(28) // 'AB' */
function columnName(number: number): string {
  if (number < 1) return '';
  const rest = (number - 1) % 26;
  return columnName((number - 1 - rest) / 26) + String.fromCharCode(65 + rest);
}
