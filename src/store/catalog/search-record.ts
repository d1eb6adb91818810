/** The words of a record as numbers, as the index keeps them for ranking and for checking what a query asks. */
export interface RecordWords {
  searchId: number;
  /** Numbers of words, in which the places below are counted. */
  ids: Uint32Array;
  /** The title's words in their order: from here */
  title: number;
  /** up to here, where those begin that only its other names have; */
  names: number;
  /** from here on those that only its texts have, */
  texts: number;
  /** up to here. */
  end: number;
}

/** A piece of a query, its words as numbers. */
export interface AskedPiece {
  parts: readonly number[];
  joined: number | undefined;
}

/** Three counts stand before the words: of the title's, of the other names', of the texts'. */
const COUNTS = 3;

/**
 * The words of a record as one run of numbers.
 *
 * @param title in their order
 * @param names that are not in the title
 * @param texts that are in neither
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

/** Reads the runs of some records, one behind the other. */
export function decodeWords(searchIds: readonly number[], runs: Buffer): RecordWords[] {
  // A view needs its bytes to lie at a multiple of four.
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

/** The place of a word between two others; -1 where it is not there. */
export function placeOf(ids: Uint32Array, word: number, from: number, to: number): number {
  for (let i = from; i < to; i++) if (ids[i] === word) return i;
  return -1;
}

/** A word as a number; that two words share one is rarer than a wrong match would matter. */
export function wordId(word: string): number {
  let id = 0x811c9dc5;
  for (let i = 0; i < word.length; i++) id = Math.imul(id ^ word.charCodeAt(i), 0x01000193);
  return id >>> 0;
}
