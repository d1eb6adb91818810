/** Characters that a spreadsheet takes for the start of a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** A text as a table's cell. One that a spreadsheet would run as a formula gets a leading apostrophe. */
export function spreadsheetText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
