import { Best, byScore, type Scored, type TieOrder } from './best.ts';
import type { Dictionary } from './dictionary.ts';
import type { ForwardArray } from './forward-array.ts';
import type { Meanings } from './meanings.ts';
import { profileOf } from './profile.ts';
import { type Comparable, compareTexts, type Facets, mostSimilar } from './similarity.ts';

/** A text that is similar to another. */
export interface Neighbour {
  /** The position of the text in the index. */
  text: number;
  /** 0 to 1. */
  similarity: number;
}

export interface SearchOptions {
  /** Neighbours kept in each group. */
  keep: number;
  /** Entries of posting lists read for a text, the rarest terms first; infinite for all of them. */
  budget: number;
  /** Candidates in each group whose cosine is calculated. */
  candidates: number;
  /** Candidates in each group that are compared in full, the nearest first. */
  compared: number;
  /** Least similarity of a neighbour, by group. */
  floors: readonly number[];
  /** Which of two equally near texts comes first; by position if omitted. */
  isBefore?: TieOrder;
}

/**
 * Default limits. They keep the cost of a search independent of the number of texts, and memory to ten bytes for each
 * term of a text.
 */
export const SEARCH: Omit<SearchOptions, 'floors'> = {
  keep: 16,
  budget: 12_000,
  candidates: 96,
  compared: 44,
};

export interface IndexOptions {
  dictionary: Dictionary;
  facets: Facets;
  /** Counted besides the words if given. */
  meanings?: Meanings | undefined;
  /** Whether two texts, by position, cannot be neighbours whatever they say. */
  apart?: (text: number, other: number) => boolean;
}

const byPosition: TieOrder = (text, other) => text < other;

/** Size of the cache of profiles. */
const PROFILES = 4096;

/**
 * An index of texts on typed arrays: posting lists give the texts of a term, the forward array gives the terms of a
 * text. Candidates are found by the rarest terms; cosines and comparisons use the whole texts.
 */
export class TextIndex {
  readonly #dictionary: Dictionary;
  readonly #facets: Facets;
  readonly #meanings: Meanings | undefined;
  readonly #apart: NonNullable<IndexOptions['apart']>;
  readonly #texts: ForwardArray;
  readonly #scales: Float32Array;
  readonly #lists: Uint32Array;
  readonly #holders: Uint32Array;
  readonly #held: Uint8Array;
  readonly #sums: Float32Array;
  readonly #touched: Uint32Array;
  readonly #query: Float32Array;
  readonly #profiles = new Map<number, Comparable>();

  constructor(texts: ForwardArray, { dictionary, facets, meanings, apart = () => false }: IndexOptions) {
    this.#meanings = meanings;
    this.#apart = apart;
    this.#dictionary = dictionary;
    this.#facets = facets;
    this.#texts = texts;
    const terms = dictionary.terms.length;
    this.#scales = Float32Array.from({ length: texts.length }, (_, text) =>
      dictionary.scale(texts.vector(text)),
    );
    this.#lists = new Uint32Array(terms + 1);
    for (let text = 0; text < texts.length; text++)
      for (const id of texts.vector(text).ids) this.#lists[id + 1] = (this.#lists[id + 1] as number) + 1;
    for (let id = 0; id < terms; id++)
      this.#lists[id + 1] = (this.#lists[id + 1] as number) + (this.#lists[id] as number);
    const entries = this.#lists[terms] as number;
    this.#holders = new Uint32Array(entries);
    this.#held = new Uint8Array(entries);
    const next = this.#lists.slice();
    for (let text = 0; text < texts.length; text++) {
      const { ids, weights } = texts.vector(text);
      for (let i = 0; i < ids.length; i++) {
        const id = ids[i] as number;
        const place = next[id] as number;
        next[id] = place + 1;
        this.#holders[place] = text;
        this.#held[place] = weights[i] as number;
      }
    }
    this.#sums = new Float32Array(texts.length);
    this.#touched = new Uint32Array(texts.length);
    this.#query = new Float32Array(terms);
  }

  /**
   * The nearest texts in each wanted group, the nearest first, without the text itself.
   *
   * @param wanted one bit per group
   * @returns by group
   */
  search(text: number, wanted: number, options: SearchOptions): Map<number, Neighbour[]> {
    const found = new Map<number, Neighbour[]>();
    for (const [group, nearest] of this.nearest(text, wanted, options))
      found.set(group, this.#compare(text, nearest, options, options.floors[group] ?? 0));
    return found;
  }

  /**
   * The candidates for full comparison in each wanted group: the nearest texts by their cosine alone, the nearest
   * first.
   */
  nearest(
    text: number,
    wanted: number,
    { budget, candidates, isBefore = byPosition }: Pick<SearchOptions, 'budget' | 'candidates' | 'isBefore'>,
  ): Map<number, Scored[]> {
    const { ids, values } = this.#comparable(text);
    const touched = this.#gather({ ids, values }, budget);
    const byGroup = this.#best(text, touched, wanted, () => new Best(candidates, isBefore));
    for (let i = 0; i < ids.length; i++) this.#query[ids[i] as number] = values[i] as number;
    const found = new Map<number, Scored[]>();
    for (const [group, best] of byGroup) {
      const cosines = best
        .texts()
        .map((other): Scored => [other, this.#blend(text, other, this.#cosine(other))]);
      found.set(group, cosines.sort(byScore(isBefore)));
    }
    for (const id of ids) this.#query[id] = 0;
    return found;
  }

  #comparable(text: number): Comparable {
    const known = this.#profiles.get(text);
    if (known) return known;
    const vector = this.#texts.vector(text);
    const { ids } = vector;
    const values = this.#dictionary.normalised(vector);
    const made = { ids, values, profile: profileOf(this.#dictionary, ids, values) };
    if (this.#profiles.size >= PROFILES) this.#profiles.delete(this.#profiles.keys().next().value as number);
    this.#profiles.set(text, made);
    return made;
  }

  /**
   * Adds up the terms that other texts share with a text, the rarest first, until the budget is spent. Equally rare ones
   * are in the order of their letters: their numbers depend on which text came first.
   *
   * @returns the number of texts found
   */
  #gather({ ids, values }: Pick<Comparable, 'ids' | 'values'>, budget: number): number {
    const length = (i: number) =>
      (this.#lists[(ids[i] as number) + 1] as number) - (this.#lists[ids[i] as number] as number);
    const { terms } = this.#dictionary;
    const term = (i: number) => terms[ids[i] as number] as string;
    const order = [...ids.keys()]
      .filter((i) => (values[i] as number) > 0)
      .sort((a, b) => length(a) - length(b) || (term(a) < term(b) ? -1 : 1));
    let touched = 0;
    let spent = 0;
    for (const i of order) {
      const id = ids[i] as number;
      const size = length(i);
      if (spent > 0 && spent + size > budget) break;
      spent += size;
      const value = (values[i] as number) * this.#dictionary.idf(id);
      for (let p = this.#lists[id] as number; p < (this.#lists[id + 1] as number); p++) {
        const other = this.#holders[p] as number;
        if (this.#sums[other] === 0) this.#touched[touched++] = other;
        this.#sums[other] =
          (this.#sums[other] as number) + value * (this.#held[p] as number) * (this.#scales[other] as number);
      }
    }
    return touched;
  }

  /** The candidates with the highest sums in each group. Resets the sums. */
  #best(text: number, touched: number, wanted: number, create: () => Best): Map<number, Best> {
    const byGroup = new Map<number, Best>();
    for (let i = 0; i < touched; i++) {
      const other = this.#touched[i] as number;
      const sum = this.#sums[other] as number;
      this.#sums[other] = 0;
      const group = this.#texts.group(other);
      if (other === text || !(wanted & (1 << group)) || this.#apart(text, other)) continue;
      let best = byGroup.get(group);
      if (!best) {
        best = create();
        byGroup.set(group, best);
      }
      best.offer(other, sum);
    }
    return byGroup;
  }

  /** Compares candidates in full, the nearest first, until no further one can be among those kept. */
  #compare(
    text: number,
    nearest: readonly Scored[],
    { keep, compared, isBefore = byPosition }: SearchOptions,
    floor: number,
  ): Neighbour[] {
    const own = this.#comparable(text);
    const found = new Best(keep, isBefore);
    let left = compared;
    for (const [other, cosine] of nearest) {
      if (left-- === 0 || mostSimilar(cosine) < Math.max(floor, found.least())) break;
      const { similarity } = compareTexts(own, this.#comparable(other), this.#facets, (cosine) =>
        this.#blend(text, other, cosine),
      );
      // As precise as it is stored, so that what lies within rounding of each other is equal.
      const stored = Math.fround(similarity);
      if (stored >= floor) found.offer(other, stored);
    }
    return found.ranked().map(([text, similarity]) => ({ text, similarity }));
  }

  #blend(text: number, other: number, cosine: number): number {
    return this.#meanings ? this.#meanings.blend(text, other, cosine) : cosine;
  }

  #cosine(text: number): number {
    let sum = 0;
    const { ids, weights } = this.#texts.vector(text);
    for (let i = 0; i < ids.length; i++) {
      const id = ids[i] as number;
      const value = this.#query[id] as number;
      if (value !== 0) sum += value * (weights[i] as number) * this.#dictionary.idf(id);
    }
    return sum * (this.#scales[text] as number);
  }
}
