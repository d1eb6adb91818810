/** A number, or the text of one, from 0 to `most`; undefined for anything else. */
export function numberOf(value: unknown, most: number): number | undefined {
  const parsed = typeof value === 'string' ? numberOfText(value) : value;
  return typeof parsed === 'number' && parsed >= 0 && parsed <= most ? parsed : undefined;
}

// A dot stands for itself alone, so that no run of digits can be divided in two ways: a venue may write millions of them.
const NUMBER = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$/;

/** No number takes more characters: for millions of them a pattern may find no room to go back in. */
const LONGEST = 1_000;

function numberOfText(text: string): number | undefined {
  return numberOfDigits(text) ?? (text.length <= LONGEST && NUMBER.test(text) ? Number(text) : undefined);
}

/** A text this long has no more digits than a number holds, nor has the power of ten it is divided by. */
const MOST_DIGITS = 15;
const POWERS = Array.from({ length: MOST_DIGITS }, (_none, exponent) => 10 ** exponent);

// Digits, a dot and digits, as most are, in one go: a whole number over a power of ten is the very number that
// the text says, in a quarter of the time.
function numberOfDigits(text: string): number | undefined {
  const { length } = text;
  if (length === 0 || length > MOST_DIGITS) return undefined;
  let whole = 0;
  let dot = length - 1;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) whole = whole * 10 + code - 48;
    else if (code === 46 && i > 0 && dot === length - 1) dot = i;
    else return undefined;
  }
  return whole / (POWERS[length - 1 - dot] as number);
}
