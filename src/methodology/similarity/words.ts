/** A word and its position in a text. */
export interface Word {
  /** Lower case, without accents, dots and possessive endings. */
  folded: string;
  start: number;
  end: number;
  /** Begins with a capital. */
  capital: boolean;
  /** Two letters or more, all of them capitals. */
  upper: boolean;
  /** An initial, as in "George R. R. Martin". */
  initial: boolean;
}

const INITIAL = /^\p{Lu}$/u;
const WORD = /[\p{L}\p{N}]+(?:['’.&][\p{L}\p{N}]+)*/gu;

/** Removes accents and typographic variants of signs from a text; keeps its capitals. */
export function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[‘’ʼ`]/g, "'")
    .replace(/[–—−‐‑]/g, '-');
}

/**
 * The words of a plain text. Hyphens separate words; dots and ampersands within a word do not.
 *
 * @example splitWords("The U.S.' S&P").map((word) => word.folded) // ['the', 'us', 's&p']
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const [raw] = match;
    const bare = raw.replace(/'s$/i, '').replaceAll(/['.]/g, '');
    // A decimal number keeps its dot.
    const folded = /^\d+(\.\d+)+$/.test(raw) ? raw : bare.toLowerCase();
    const first = raw.charAt(0);
    words.push({
      folded,
      start: match.index,
      end: match.index + raw.length,
      capital: first !== first.toLowerCase(),
      upper: bare.length > 1 && bare === bare.toUpperCase() && bare !== bare.toLowerCase(),
      initial: INITIAL.test(raw) && text[match.index + raw.length] === '.',
    });
  }
  return words;
}

/**
 * A word without its plural ending.
 *
 * @example singular('hurricanes') // 'hurricane'
 */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(x|ch|sh|z|s)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}
