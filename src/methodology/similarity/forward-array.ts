import { grown, type TermVector } from './dictionary.ts';

/** The terms of many texts, one after the other in typed arrays: five bytes per term. */
export class ForwardArray {
  #starts = new Uint32Array(1024);
  #groups = new Uint8Array(1024);
  #ids = new Uint32Array(16_384);
  #weights = new Uint8Array(16_384);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Adds a text.
   *
   * @param group 0 to 15
   * @returns its position, from 0
   */
  add({ ids, weights }: TermVector, group: number): number {
    const text = this.#length++;
    const start = this.#starts[text] as number;
    const end = start + ids.length;
    if (text + 1 >= this.#starts.length) {
      this.#starts = grown(this.#starts, Uint32Array);
      this.#groups = grown(this.#groups, Uint8Array);
    }
    while (end > this.#ids.length) {
      this.#ids = grown(this.#ids, Uint32Array);
      this.#weights = grown(this.#weights, Uint8Array);
    }
    this.#ids.set(ids, start);
    this.#weights.set(weights, start);
    this.#starts[text + 1] = end;
    this.#groups[text] = group;
    return text;
  }

  /** The terms of a text, as a view of the array. */
  vector(text: number): TermVector {
    const start = this.#starts[text] as number;
    const end = this.#starts[text + 1] as number;
    return { ids: this.#ids.subarray(start, end), weights: this.#weights.subarray(start, end) };
  }

  group(text: number): number {
    return this.#groups[text] as number;
  }
}
