/** Cache of trigrams: the same few thousand words recur. */
const known = new Map<string, ReadonlySet<string>>();
const MOST_KNOWN = 8192;

/** The trigrams of a word, with its ends marked. */
function trigrams(word: string): ReadonlySet<string> {
  const before = known.get(word);
  if (before) return before;
  const marked = ` ${word} `;
  const grams = new Set<string>();
  for (let i = 0; i + 3 <= marked.length; i++) grams.add(marked.slice(i, i + 3));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(word, grams);
  return grams;
}

/**
 * Similarity of the spelling of two words: the share of common trigrams (Dice). 0 if the lengths differ by more than
 * four.
 *
 * @returns 0 to 1
 * @example letterSimilarity('zelensky', 'zelenskyy') // 0.82
 */
export function letterSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  if (Math.abs(a.length - b.length) > 4) return 0;
  const first = trigrams(a);
  const second = trigrams(b);
  let both = 0;
  for (const gram of first) if (second.has(gram)) both++;
  return (2 * both) / (first.size + second.size);
}

/** From this similarity on, two words are spelled alike. */
export const ALIKE = 0.6;

/** Whether two words of four letters or more are spellings of the same name. Numbers are alike only if equal. */
export function alikeWords(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.length < 4 || b.length < 4 || /\d/.test(a) || /\d/.test(b)) return false;
  return letterSimilarity(a, b) >= ALIKE;
}
