import type { Reading } from './reading.ts';

/**
 * A text as the numbers of its terms, ascending, each with its weight (before rarity) in units of {@link WEIGHT_UNIT}.
 */
export interface TermVector {
  ids: Uint32Array;
  weights: Uint8Array;
}

/** Unit of stored weights: a byte holds weights up to 8. */
const WEIGHT_UNIT = 1 / 32;

/** Numbers the terms and knows how rare each is among the texts. Search and neighbours use the same one. */
export class Dictionary {
  readonly terms: string[] = [];
  readonly #ids = new Map<string, number>();
  #idf = new Float32Array(1024);
  #texts = 0;

  /** The number of a term; a new term gets the next one. */
  add(term: string): number {
    const known = this.#ids.get(term);
    if (known !== undefined) return known;
    const id = this.terms.length;
    this.terms.push(term);
    this.#ids.set(term, id);
    if (id >= this.#idf.length) this.#idf = grown(this.#idf, Float32Array);
    return id;
  }

  /** Converts a reading to term numbers; new terms are added. */
  vectorOf(reading: Reading): TermVector {
    const pairs = [...reading].map(([term, weight]) => [this.add(term), weight] as const);
    pairs.sort((a, b) => a[0] - b[0]);
    return {
      ids: Uint32Array.from(pairs, (pair) => pair[0]),
      weights: Uint8Array.from(pairs, (pair) => Math.min(255, Math.round(pair[1] / WEIGHT_UNIT))),
    };
  }

  /**
   * Sets the rarity of each term from the number of texts that hold it. It stays fixed until set again, so that all
   * comparisons in between use the same weights.
   */
  weigh(texts: number, holders: (id: number) => number): void {
    this.#texts = texts;
    for (let id = 0; id < this.terms.length; id++) this.#idf[id] = rarity(texts, holders(id));
  }

  /** Inverse document frequency of a term; a term in no text counts as if in one. */
  idf(id: number): number {
    return this.#idf[id] || rarity(this.#texts, 1);
  }

  /** Weights times rarity, normalised to length 1. */
  normalised(vector: TermVector): Float32Array {
    const { ids, weights } = vector;
    const values = new Float32Array(ids.length);
    const scale = this.scale(vector);
    for (let i = 0; i < ids.length; i++)
      values[i] = (weights[i] as number) * this.idf(ids[i] as number) * scale;
    return values;
  }

  /** The factor that normalises a text's weights times rarity to length 1; 0 for a text without terms. */
  scale({ ids, weights }: TermVector): number {
    let squares = 0;
    for (let i = 0; i < ids.length; i++)
      squares += ((weights[i] as number) * this.idf(ids[i] as number)) ** 2;
    return squares > 0 ? 1 / Math.sqrt(squares) : 0;
  }
}

function rarity(texts: number, holders: number): number {
  return Math.log(1 + Math.max(texts, 1) / Math.max(holders, 1));
}

/** A longer array that begins with the same values. */
export function grown<A extends Uint32Array | Uint8Array | Float32Array>(
  old: A,
  make: new (length: number) => A,
): A {
  const next = new make(Math.ceil(old.length * 1.5));
  next.set(old);
  return next;
}
