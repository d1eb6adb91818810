import { exceeds } from '../rounding.ts';

/** A value, weighted by volume or time. */
export interface Weighted {
  value: number;
  weight: number;
}

/**
 * The value with half of the weight on either side; if the half falls exactly between two values, their mean. Undefined
 * without weight.
 *
 * @example weightedMedian([{ value: 0.4, weight: 1 }, { value: 0.5, weight: 3 }]) // 0.5
 */
export function weightedMedian(values: readonly Weighted[]): number | undefined {
  const sorted = values.filter((each) => each.weight > 0).sort((a, b) => a.value - b.value);
  const half = sorted.reduce((total, each) => total + each.weight, 0) / 2;
  let passed = 0;
  for (const [i, { value, weight }] of sorted.entries()) {
    passed += weight;
    if (exceeds(passed / half, 1)) return value;
    if (!exceeds(1, passed / half)) return (value + (sorted[i + 1]?.value ?? value)) / 2;
  }
  return undefined;
}
