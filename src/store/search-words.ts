import { crc32 } from 'node:zlib';

/** A longer word is cut: what stands after that tells nobody anything. */
const LONGEST_WORD = 40;

/** A piece of more parts is a sentence written with hyphens; nobody writes it as one word. */
const MOST_JOINED = 4;

/** What stands between two blanks: its words, and what they are when written as one. */
export interface Piece {
  parts: string[];
  joined?: string;
}

/**
 * The words of a text as the search index knows them: without case, accents and punctuation, a plural as its
 * singular, in letters and digits of ASCII alone. A piece with punctuation inside also stands as one word, so
 * that `U.S.`, `US` and `u s` find each other.
 *
 * @example piecesOf("Trump's") // [{ parts: ['trump', 's'], joined: 'trump' }]
 */
export function piecesOf(text: string): Piece[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const pieces: Piece[] = [];
  for (const piece of plain.split(/\s+/u)) {
    const parts = piece.match(/[\p{L}\p{N}]+/gu) ?? [];
    if (parts.length === 0) continue;
    const joined =
      parts.length > 1 && parts.length <= MOST_JOINED ? { joined: wordOf(parts.join('')) } : undefined;
    pieces.push({ parts: parts.map(wordOf), ...joined });
  }
  return pieces;
}

function wordOf(part: string): string {
  const cut = part.slice(0, LONGEST_WORD);
  const singular = cut.length > 3 && cut.endsWith('s') && !cut.endsWith('ss') ? cut.slice(0, -1) : cut;
  // The index splits by its own, older idea of letters; in ASCII the two agree.
  return /^[a-z0-9]+$/.test(singular) ? singular : `x${Buffer.from(singular).toString('hex')}`;
}

/** Words in their order, those written as one after them. */
export function wordsOf(text: string | undefined): { parts: string[]; joined: string[] } {
  const pieces = text === undefined ? [] : piecesOf(text);
  return {
    parts: pieces.flatMap((piece) => piece.parts),
    joined: pieces.flatMap((piece) => piece.joined ?? []),
  };
}

/** A word as a number, for ranking; two words may share one, which then costs a little of the order. */
export function wordId(word: string): number {
  return crc32(word);
}
