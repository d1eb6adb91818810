/**
 * What a text says, as weighted terms. The first letter of a term is its type: `w` word, `b` two consecutive words, `n`
 * name, `s` the name that the question is about, `q` quantity, `d` time span, `y` year or month, `f` facet. The fields
 * of a term are separated by `|`.
 */
export type Reading = Map<string, number>;

/** Weights of the types of terms, before rarity. */
export const WEIGHTS = { w: 1, b: 0.5, n: 1.5, q: 1.2, d: 0.6, y: 0.5, f: 0.6 } as const;

export function bump(reading: Reading, term: string, weight: number): void {
  reading.set(term, (reading.get(term) ?? 0) + weight);
}
