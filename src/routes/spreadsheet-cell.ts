/** Characters that a spreadsheet takes for the start of a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A text as a table's cell: one that a spreadsheet would run is led by an apostrophe. */
export function spreadsheetText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
