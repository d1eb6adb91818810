import { load } from 'cheerio/slim';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

const SHEET = /(?:^|\/)worksheets\/[^/]+\.xml$/i;
/** A cell without an address. */
const UNADDRESSED = /<c(?=[\s/>])(?![^>]*\sr\s*=)/;

/**
 * Gives the cells of an xlsx file their addresses where some have none. OOXML lets a program leave them out: such a cell
 * follows on the one before it, and such a row on the row before it. The library for sheets needs them.
 *
 * @see ECMA-376, part 1, 18.3.1.4 and 18.3.1.73
 */
export function withAddresses(bytes: Uint8Array): Uint8Array {
  const sheets = Object.entries(unzipSync(bytes, { filter: ({ name }) => SHEET.test(name) }));
  const texts = sheets.map(([name, sheet]) => [name, strFromU8(sheet)] as const);
  const unaddressed = texts.filter(([, text]) => UNADDRESSED.test(text));
  if (unaddressed.length === 0) return bytes;
  const addressed = unaddressed.map(([name, text]) => [name, strToU8(addressCells(text))]);
  return zipSync({ ...unzipSync(bytes), ...Object.fromEntries(addressed) }, { level: 0 });
}

function addressCells(sheet: string): string {
  const $ = load(sheet, { xml: true });
  let row = 0;
  for (const line of $('sheetData > row')) {
    row = Number($(line).attr('r') ?? row + 1);
    let column = 0;
    for (const cell of $(line).children('c')) {
      const address = $(cell).attr('r');
      column = address === undefined ? column + 1 : columnNumber(address);
      if (address === undefined) $(cell).attr('r', `${columnName(column)}${row}`);
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
