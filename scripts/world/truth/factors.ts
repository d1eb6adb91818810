import { hashText, mix, normal } from './random.ts';

/** Hours in a block of a path; blocks are filled and kept whole. */
export const BLOCK_HOURS = 512;

const SPAN_HOURS = 2 ** 15;
const KEPT_BLOCKS = 20_000;

/** Shared random walks, readable at any hour without walking there. */
export interface Factors {
  /** Values at the hours of one block after the epoch; variance grows by 1 a day, 0 at the epoch. */
  block(factor: string, block: number): Float64Array;
}

/**
 * Random walks by midpoint displacement over 2^15 hours: each hour is made from only log2 of the span of draws, so that
 * a block is reached directly and does not depend on what was read before.
 */
export function createFactors(seed: number): Factors {
  const kept = new Map<string, Float64Array>();
  return {
    block(factor, block) {
      const key = `${factor}|${block}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      if (kept.size >= KEPT_BLOCKS) kept.clear();
      const path = fillBlock(hashText(seed, factor), block);
      kept.set(key, path);
      return path;
    },
  };
}

function fillBlock(seed: number, block: number): Float64Array {
  const from = Math.max(0, Math.min(block * BLOCK_HOURS, SPAN_HOURS - BLOCK_HOURS));
  let left = 0;
  let right = SPAN_HOURS;
  let atLeft = 0;
  let atRight = normal(mix(seed, SPAN_HOURS)) * Math.sqrt(SPAN_HOURS / 24);
  while (right - left > BLOCK_HOURS) {
    const middle = (left + right) / 2;
    const atMiddle = displace(seed, middle, right - left, atLeft, atRight);
    if (from >= middle) {
      left = middle;
      atLeft = atMiddle;
    } else {
      right = middle;
      atRight = atMiddle;
    }
  }
  const path = new Float64Array(BLOCK_HOURS + 1);
  path[0] = atLeft;
  path[BLOCK_HOURS] = atRight;
  for (let gap = BLOCK_HOURS; gap > 1; gap /= 2) {
    for (let i = 0; i < BLOCK_HOURS; i += gap) {
      path[i + gap / 2] = displace(seed, from + i + gap / 2, gap, path[i] ?? 0, path[i + gap] ?? 0);
    }
  }
  return path;
}

function displace(seed: number, middle: number, gap: number, atLeft: number, atRight: number): number {
  return (atLeft + atRight) / 2 + normal(mix(seed, middle)) * Math.sqrt(gap / 4 / 24);
}
