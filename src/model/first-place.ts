/**
 * The first place in ascending numbers that is at or after one of them; their count if none is. Cost: a binary search.
 *
 * @example firstPlace([10, 20, 30], 11) // 1
 */
export function firstPlace(ascending: ArrayLike<number>, wanted: number): number {
  return firstPlaceThat(ascending.length, (i) => (ascending[i] as number) >= wanted);
}

/** The first of some places that is reached, as all after it are; their count if none is. */
export function firstPlaceThat(count: number, isReached: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
