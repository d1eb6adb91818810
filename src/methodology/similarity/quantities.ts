import type { SimilarityTables } from '../../model/similarity-tables.ts';
import type { Page } from './page.ts';

/** A number or a range in a text, with its unit; `unit` is empty if none is given. */
export interface Quantity {
  unit: string;
  low: number;
  high: number;
}

/** The unit of ordinals such as "98th", for which another text may state the year. */
export const ORDINAL = 'ordinal';

export type QuantityReader = (page: Page) => Quantity[];

/** Creates a reader of numbers for the units in the tables. It blanks what it has read on the page. */
export function compileQuantities({
  multipliers,
  units,
  numbers,
}: SimilarityTables['units']): QuantityReader {
  const unitOf = new Map<string, { unit: string; factor: number }>();
  for (const [unit, spellings] of Object.entries(units))
    for (const [spelling, factor] of Object.entries(spellings)) unitOf.set(spelling, { unit, factor });
  const { inDigits, inWords } = patternsOf(Object.keys(multipliers), unitOf.keys(), Object.keys(numbers));
  const value = (digits: string | undefined, multiplier: string | undefined) =>
    Number((digits ?? '').replaceAll(',', '')) *
    (multiplier ? (multipliers[multiplier.toLowerCase()] ?? 1) : 1);
  const readDigits = (parts: readonly (string | undefined)[], preceding: string): Quantity | undefined => {
    const [sign, digits, times, spelled, sign2, digits2, times2, spelled2, ordinal] = parts;
    const said = unitOf.get((spelled2 ?? spelled ?? sign2 ?? sign ?? '').toLowerCase());
    const factor = said?.factor ?? 1;
    const first = value(digits, digits2 ? (times ?? times2) : times) * factor;
    const last = digits2 === undefined ? first : value(digits2, times2) * factor;
    const minus = /(?:^|\s)-$/.test(preceding) ? -1 : 1;
    if (!Number.isFinite(first) || !Number.isFinite(last)) return undefined;
    return {
      unit: ordinal ? ORDINAL : (said?.unit ?? ''),
      low: minus * first,
      high: digits2 === undefined ? minus * last : last,
    };
  };
  const readWord = ([name, times, spelled]: readonly (string | undefined)[]): Quantity => {
    const said = unitOf.get((spelled ?? '').toLowerCase());
    const number = value(String(numbers[(name ?? '').toLowerCase()]), times) * (said?.factor ?? 1);
    return { unit: said?.unit ?? '', low: number, high: number };
  };
  return (page) => {
    const found: Quantity[] = [];
    page.take(inDigits, (parts, preceding) => {
      const each = readDigits(parts, preceding);
      if (each) found.push(each);
      return each !== undefined;
    });
    page.take(inWords, (parts) => {
      found.push(readWord(parts));
      return true;
    });
    return found;
  };
}

/** The patterns of numbers: in digits, alone or as a range, with sign, multiplier and unit; and in words. */
function patternsOf(multipliers: readonly string[], units: Iterable<string>, numbers: readonly string[]) {
  const N = `(\\d[\\d,]*(?:\\.\\d+)?|\\.\\d+)`;
  const X = `\\s?(${alternatives(multipliers)})?`;
  const U = `\\s?(${alternatives(units)})?`;
  const S = '([$€£])?';
  return {
    inDigits: new RegExp(
      `(?<![\\p{L}\\d.])${S}${N}${X}${U}(?:\\s?(?:-|to|and)\\s?${S}${N}${X}${U})?(st|nd|rd|th)?(?![\\d])`,
      'giu',
    ),
    inWords: new RegExp(`\\b(${alternatives(numbers)})${X}${U}`, 'gi'),
  };
}

/** The longest first, since the first match counts. */
function alternatives(words: Iterable<string>): string {
  return [...words]
    .sort((a, b) => b.length - a.length)
    .map((word) => word.replaceAll('$', '\\$').replaceAll(' ', '\\s'))
    .map((word) => (/[a-z]$/.test(word) ? `${word}\\b` : word))
    .join('|');
}

/** Units of measurement, as opposed to counts. */
const MEASURED: ReadonlySet<string> = new Set(['percent', 'dollar', 'euro', 'pound', 'degree']);

/**
 * Whether two quantities are equal. If one has no unit, it is assumed to have that of the other.
 *
 * @param counted whether numbers without a unit can be counts
 */
export function sameQuantity(a: Quantity, b: Quantity, counted: boolean): boolean {
  if (a.unit !== b.unit && a.unit !== '' && b.unit !== '') return false;
  const whole = counted && !MEASURED.has(a.unit) && !MEASURED.has(b.unit);
  return close(a.low, b.low, whole) && close(a.high, b.high, whole);
}

// For whole numbers "more than 9.5" and "10 or more" are the same threshold.
function close(a: number, b: number, whole: boolean): boolean {
  if (Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))) return true;
  return whole && Math.abs(a - b) === 0.5 && (a % 1 === 0) !== (b % 1 === 0);
}
