/** Splits a list into chunks of at most `size`, in order. @example chunksOf([1, 2, 3], 2) // [[1, 2], [3]] */
export function chunksOf<Item>(items: readonly Item[], size: number): Item[][] {
  const chunks: Item[][] = [];
  for (let from = 0; from < items.length; from += size) chunks.push(items.slice(from, from + size));
  return chunks;
}
