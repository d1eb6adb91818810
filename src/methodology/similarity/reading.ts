/**
 * What a text says, as terms with weights. A term's first letter is its sort: `w` word, `b` two words in a row,
 * `n` name, `s` the name that the question is about, `q` quantity, `d` span of time, `y` year or month,
 * `f` facet. The parts of a term are parted by `|`.
 */
export type Reading = Map<string, number>;

/** Weights of the sorts of terms, before their rarity. */
export const WEIGHTS = { w: 1, b: 0.5, n: 1.5, q: 1.2, d: 0.6, y: 0.5, f: 0.6 } as const;

/** Adds to the weight of a term. */
export function bump(reading: Reading, term: string, weight: number): void {
  reading.set(term, (reading.get(term) ?? 0) + weight);
}
