/** Neighbours that were made equal, with the mean of their values. */
interface Block {
  count: number;
  mean: number;
}

// A mean that equals the next value must not be out of order by its binary noise.
const NOISE = 1e-12;

/**
 * The nearest values, in squares, that never rise: isotonic regression by pooling adjacent violators. Whatever
 * breaks the order is pooled with its neighbours at their mean.
 *
 * @param values one a place
 * @returns one block a place: neighbours in the same block have the same object
 * @example fallingBlocks([0.8, 0.4, 0.5]).map((block) => block.mean) // [0.8, 0.45, 0.45]
 */
export function fallingBlocks(values: readonly number[]): Block[] {
  const blocks: Block[] = [];
  for (const value of values) {
    let block: Block = { count: 1, mean: value };
    for (let last = blocks.at(-1); last && block.mean - last.mean > NOISE; last = blocks.at(-1)) {
      const count = last.count + block.count;
      block = { count, mean: (last.mean * last.count + block.mean * block.count) / count };
      blocks.pop();
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) => Array<Block>(block.count).fill(block));
}
