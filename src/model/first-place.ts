/**
 * The first place in ascending numbers that is at or after one of them; their count if none is. Cost: a binary search.
 *
 * @example firstPlace([10, 20, 30], 11) // 1
 */
export function firstPlace(ascending: ArrayLike<number>, wanted: number): number {
  return firstPlaceOf(ascending.length, (i) => ascending[i] as number, wanted);
}

/** The same for numbers that are told one by one. */
export function firstPlaceOf(count: number, numberAt: (i: number) => number, wanted: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(middle) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
