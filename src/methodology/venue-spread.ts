/**
 * Picks a few of the nearest so that they include several venues if possible: the best of each venue in turn, then the
 * second best of each, until there are enough. The result keeps the order of the input.
 *
 * @param nearest the nearest first
 * @example spreadOverVenues(['a1', 'a2', 'b1'], (id) => id.charAt(0), 2) // ['a1', 'b1']
 */
export function spreadOverVenues<Item>(
  nearest: readonly Item[],
  venueOf: (item: Item) => string,
  most: number,
): Item[] {
  const rankInVenue = new Map<Item, number>();
  const seen = new Map<string, number>();
  for (const item of nearest) {
    const rank = seen.get(venueOf(item)) ?? 0;
    rankInVenue.set(item, rank);
    seen.set(venueOf(item), rank + 1);
  }
  const rank = (item: Item) => rankInVenue.get(item) as number;
  // Sorting is stable: within a rank the nearest stays first.
  const chosen = new Set([...nearest].sort((a, b) => rank(a) - rank(b)).slice(0, most));
  return nearest.filter((item) => chosen.has(item));
}
