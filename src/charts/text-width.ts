/**
 * Widths of letters in the bold weight of Inter, in hundredths of the font size, rounded up. Other letters have one of
 * the widths below.
 */
const LETTERS: readonly [width: number, letters: string][] = [
  [28, ' iIjl!,.:'],
  [38, "'();[]`t|/\\frí·"],
  [45, '1-_{}'],
  [86, 'w'],
  [92, 'mM'],
  [104, 'W%@…—'],
];
const WIDTHS = new Map(LETTERS.flatMap(([width, letters]) => [...letters].map((each) => [each, width])));
const CAPITAL = 76;
const OTHER = 66;
/** The width of pictures, and of letters in scripts where these are as wide as high. */
const WIDE = 100;

/** Measures the width of a text, in the unit of its font size. */
export type WidthOf = (text: string, size: number) => number;

/**
 * The approximate width of a text, rather too wide than too narrow, in the unit of its font size.
 *
 * @example textWidth('1,000.00', 12) // 51.72
 */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) width += WIDTHS.get(letter) ?? widthOf(letter);
  return (width * size) / 100;
}

function widthOf(letter: string): number {
  if ((letter.codePointAt(0) ?? 0) >= 0x1100 && !/\p{Sc}|−|–/u.test(letter)) return WIDE;
  return /\p{Lu}/u.test(letter) ? CAPITAL : OTHER;
}
