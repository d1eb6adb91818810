/** The words of a record as numbers, which the index keeps for ranking and for checking the words of a query. */
export interface RecordWords {
  searchId: number;
  /** Words as numbers, for one or more records; the places below are positions in it. */
  ids: Uint32Array;
  /** Start of the title's words, in their order. */
  title: number;
  /** Start of the words that are only in its other names. */
  names: number;
  /** Start of the words that are only in its texts. */
  texts: number;
  /** End of all words, exclusive. */
  end: number;
}

/** A piece of a query, with its words as numbers. */
export interface AskedPiece {
  parts: readonly number[];
  joined: number | undefined;
}

/** Number of counts before the words: of those of the title, of the other names, and of the texts. */
const COUNTS = 3;

/**
 * Encodes the words of a record as a run of 32-bit numbers.
 *
 * @param title words in their order
 * @param names words that are not in the title
 * @param texts words that are in neither
 */
export function encodeWords(
  title: readonly string[],
  names: readonly string[],
  texts: readonly string[],
): Uint8Array {
  const run = new Uint32Array(COUNTS + title.length + names.length + texts.length);
  run.set([title.length, names.length, texts.length]);
  let place = COUNTS;
  for (const words of [title, names, texts]) for (const word of words) run[place++] = wordId(word);
  return new Uint8Array(run.buffer);
}

/** Decodes the concatenated runs of some records. */
export function decodeWords(searchIds: readonly number[], runs: Buffer): RecordWords[] {
  // A view of 32-bit numbers must start at a multiple of four bytes.
  const bytes = runs.byteOffset % 4 === 0 ? runs : new Uint8Array(runs);
  const ids = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  let start = 0;
  return searchIds.map((searchId) => {
    const title = start + COUNTS;
    const names = title + (ids[start] ?? 0);
    const texts = names + (ids[start + 1] ?? 0);
    const end = texts + (ids[start + 2] ?? 0);
    start = end;
    return { searchId, ids, title, names, texts, end };
  });
}

/** The place of a word from one place up to another (exclusive); -1 if it is not there. */
export function placeOf(ids: Uint32Array, word: number, from: number, to: number): number {
  for (let i = from; i < to; i++) if (ids[i] === word) return i;
  return -1;
}

/** The 32-bit FNV-1a hash of a word. Collisions are too rare for the odd wrong match to matter. */
export function wordId(word: string): number {
  let id = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) id = Math.imul(id ^ word.charCodeAt(i), 0x01000193);
  return id >>> 0;
}
