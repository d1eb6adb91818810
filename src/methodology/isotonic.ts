import { exceeds } from './rounding.ts';

/** Adjacent values pooled at their mean. */
interface Block {
  count: number;
  mean: number;
}

/**
 * The closest non-increasing values by least squares: isotonic regression by pooling adjacent violators. Values that
 * break the order are pooled with their neighbours at their mean.
 *
 * @param values in order
 * @returns one block for each value; values pooled together share the same object
 * @example fallingBlocks([0.8, 0.4, 0.5]).map((block) => block.mean) // [0.8, 0.45, 0.45]
 */
export function fallingBlocks(values: readonly number[]): Block[] {
  const blocks: Block[] = [];
  for (const value of values) {
    let block: Block = { count: 1, mean: value };
    for (let last = blocks.at(-1); last && exceeds(block.mean, last.mean); last = blocks.at(-1)) {
      const count = last.count + block.count;
      block = { count, mean: (last.mean * last.count + block.mean * block.count) / count };
      blocks.pop();
    }
    blocks.push(block);
  }
  return blocks.flatMap((block) => Array<Block>(block.count).fill(block));
}
