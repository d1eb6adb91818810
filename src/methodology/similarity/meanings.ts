/**
 * Similarity of the meanings of texts by the vectors of an embedding model, if there are any. Models place all texts
 * near each other to some degree, so cosines are measured relative to the mean cosine of all pairs.
 */
export class Meanings {
  readonly #vectors: readonly (Int8Array | undefined)[];
  readonly #lengths: Float32Array;
  readonly #weight: number;
  readonly #unrelated: number;

  /**
   * @param vectors of the texts in the order of the index; undefined for a text without one
   * @param weight of meaning, from 0 to 1; the rest is that of words
   */
  constructor(vectors: readonly (Int8Array | undefined)[], weight: number) {
    const dimensions = vectors.find((each) => each !== undefined)?.length ?? 0;
    this.#vectors = vectors.map((each) => (each?.length === dimensions ? each : undefined));
    this.#lengths = Float32Array.from(this.#vectors, (each) => (each ? Math.sqrt(product(each, each)) : 0));
    this.#weight = weight;
    this.#unrelated = this.#meanCosine(dimensions);
  }

  /** The cosine of two texts by words and meaning; by words alone if either has no vector. */
  blend(a: number, b: number, words: number): number {
    const [first, second] = [this.#vectors[a], this.#vectors[b]];
    if (!first || !second) return words;
    const cosine = product(first, second) / ((this.#lengths[a] as number) * (this.#lengths[b] as number));
    const meaning = Math.max(0, (cosine - this.#unrelated) / (1 - this.#unrelated));
    return (1 - this.#weight) * words + this.#weight * Math.min(1, meaning);
  }

  /** The mean cosine of all pairs, from the squared length of the sum of the normalised vectors. */
  #meanCosine(dimensions: number): number {
    const sum = new Float64Array(dimensions);
    let texts = 0;
    for (const [i, vector] of this.#vectors.entries()) {
      if (!vector) continue;
      texts++;
      const length = this.#lengths[i] as number;
      for (let d = 0; d < dimensions; d++) sum[d] = (sum[d] as number) + (vector[d] as number) / length;
    }
    // Without the pairs of each text with itself.
    const all = sum.reduce((total, each) => total + each * each, 0) - texts;
    return texts > 1 ? Math.min(0.95, Math.max(0, all / (texts * (texts - 1)))) : 0;
  }
}

function product(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += (a[d] as number) * (b[d] as number);
  return sum;
}
