import { foldText, isAscii } from '../fold-text.ts';

/** Longer words are cut; further letters hardly help to distinguish words. */
const LONGEST_WORD = 40;

/** A piece with more parts is a hyphenated sentence, which nobody writes as one word. */
const MOST_JOINED = 4;

/** The words of a text between two blanks, and the single word that they make when joined. */
export interface Piece {
  readonly parts: readonly string[];
  readonly joined?: string;
}

/**
 * Splits a text into the words of the search index: lower case, without accents and punctuation, plurals as singulars,
 * only ASCII letters and digits. A piece with punctuation inside is also joined to one word, so that `U.S.`, `US` and
 * `u s` find each other.
 *
 * @example piecesOf("Trump's") // [{ parts: ['trump', 's'], joined: 'trump' }]
 */
export function piecesOf(text: string): Piece[] {
  const plain = foldText(text);
  const pieces: Piece[] = [];
  let from = 0;
  const end = plain.length;
  for (let i = 0; i <= end; i++) {
    if (i < end && !isBlank(plain, i)) continue;
    if (i > from) {
      const piece = pieceOf(plain.slice(from, i));
      if (piece.parts.length > 0) pieces.push(piece);
    }
    from = i + 1;
  }
  return pieces;
}

// The same as \s in a regular expression, with a fast path for ASCII.
function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code <= 127) return code === 32 || (code >= 9 && code <= 13);
  return /\s/.test(text.charAt(at));
}

/** Cache of pieces: the texts of a venue consist of the same few thousand again and again. */
const KNOWN_PIECES = new Map<string, Piece>();
const MOST_KNOWN = 20_000;

function pieceOf(written: string): Piece {
  const known = KNOWN_PIECES.get(written);
  if (known) return known;
  const parts = written.match(isAscii(written) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
  const joined =
    parts.length > 1 && parts.length <= MOST_JOINED ? { joined: wordOf(parts.join('')) } : undefined;
  const piece = { parts: parts.map(wordOf), ...joined };
  if (written.length > LONGEST_WORD) return piece;
  if (KNOWN_PIECES.size === MOST_KNOWN) KNOWN_PIECES.clear();
  KNOWN_PIECES.set(written, piece);
  return piece;
}

function wordOf(part: string): string {
  const cut = part.slice(0, LONGEST_WORD);
  const singular = cut.length > 3 && cut.endsWith('s') && !cut.endsWith('ss') ? cut.slice(0, -1) : cut;
  // The index's tokenizer follows an older Unicode version; for ASCII both agree.
  return /^[a-z0-9]+$/.test(singular) ? singular : `x${Buffer.from(singular).toString('hex')}`;
}
