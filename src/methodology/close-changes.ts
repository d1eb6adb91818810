import { exceeds } from './rounding.ts';

/** Changes from each close of a row to the next. */
export interface Changes {
  /** NaN where one of the two closes is absent. */
  values: Float64Array;
  /** Encodes which are absent: rows with equal text have the same gaps. */
  gaps: string;
  /** Number of changes that are present. */
  count: number;
  /** Whether they have variance. */
  varies: boolean;
}

/**
 * The changes between closes, standardised for computing correlations.
 *
 * @param closes undefined where there is none
 * @param values receives the changes
 * @param standard receives those that are present, with mean 0 and length 1, followed by 0
 */
export function changesOf(
  closes: readonly (number | undefined)[],
  values: Float64Array,
  standard: Float64Array,
): Changes {
  let count = 0;
  let before = closes[0] ?? Number.NaN;
  for (let i = 0; i < values.length; i++) {
    const close = closes[i + 1] ?? Number.NaN;
    const value = close - before;
    before = close;
    values[i] = value;
    if (!Number.isNaN(value)) count++;
  }
  const whole = count === values.length;
  const gaps = whole ? '' : Array.from(values, (each) => +Number.isNaN(each)).join('');
  const varies = standardise(whole ? values : withoutGaps(values, values), standard);
  return { values, gaps, count, varies };
}

/** The changes present in both rows: the values of the first and those of the second. */
export function sharedChanges(a: Float64Array, b: Float64Array): [Float64Array, Float64Array] {
  return [withoutGaps(a, b), withoutGaps(b, a)];
}

/** The values of a row at positions where neither it nor the other has a gap. */
function withoutGaps(values: Float64Array, other: Float64Array): Float64Array {
  const kept = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!Number.isNaN(value) && !Number.isNaN(other[i])) kept[count++] = value;
  }
  return kept.subarray(0, count);
}

/**
 * Subtracts the mean from the values and divides by the Euclidean length.
 *
 * @param standard receives the result, and must contain only 0 before
 * @returns whether the values vary; without variance nothing is written
 */
export function standardise(values: Float64Array, standard: Float64Array): boolean {
  let [least, most, total] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    least = Math.min(least, value);
    most = Math.max(most, value);
    total += value;
  }
  // A price that moves by the same step each day has no variance.
  if (!exceeds(most, least)) return false;
  const mean = total / values.length;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const deviation = (values[i] as number) - mean;
    standard[i] = deviation;
    squares += deviation * deviation;
  }
  const length = Math.sqrt(squares);
  for (let i = 0; i < values.length; i++) standard[i] = (standard[i] as number) / length;
  return true;
}
