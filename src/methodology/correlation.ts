import { sampleCorrelation } from 'simple-statistics';

/** Changes that a pair needs at least, else its correlation is null. */
export const LEAST_CHANGES = 20;
/** Daily closes that enter at most. */
export const CORRELATION_CLOSES = 90;

/** A correlation matrix, n × n, in the order of `market_ids`; `changes` counts what entered each cell. */
export interface CorrelationMatrix {
  market_ids: string[];
  matrix: (number | null)[][];
  changes: number[][];
}

/**
 * Pearson correlation of the changes from one close to the next, for each pair over the changes that both
 * have. The diagonal is 1; a pair with too few changes or without variance is null; values are kept inside
 * [-1, 1], which rounding could leave.
 *
 * @param closes one row a market: its marks at the closes, in order, undefined where it had none
 * @see Spec 4.3, correlation
 */
export function correlate(
  market_ids: string[],
  closes: readonly (number | undefined)[][],
): CorrelationMatrix {
  const changes = closes.map((row) =>
    row.slice(1).map((close, i) => {
      const before = row[i];
      return close === undefined || before === undefined ? undefined : close - before;
    }),
  );
  const pairs = changes.map((a, i) => changes.slice(0, i + 1).map((b, j) => correlatePair(a, b, i === j)));
  const cell = (i: number, j: number) => (i >= j ? pairs[i]?.[j] : pairs[j]?.[i]) as Pair;
  return {
    market_ids,
    matrix: changes.map((_a, i) => changes.map((_b, j) => cell(i, j).correlation)),
    changes: changes.map((_a, i) => changes.map((_b, j) => cell(i, j).count)),
  };
}

interface Pair {
  correlation: number | null;
  count: number;
}

function correlatePair(
  a: readonly (number | undefined)[],
  b: readonly (number | undefined)[],
  same: boolean,
): Pair {
  const x: number[] = [];
  const y: number[] = [];
  for (let i = 0; i < a.length; i++) {
    const [left, right] = [a[i], b[i]];
    if (left === undefined || right === undefined) continue;
    x.push(left);
    y.push(right);
  }
  if (same) return { correlation: 1, count: x.length };
  if (x.length < LEAST_CHANGES || isConstant(x) || isConstant(y))
    return { correlation: null, count: x.length };
  return { correlation: Math.max(-1, Math.min(1, sampleCorrelation(x, y))), count: x.length };
}

// Changes of a price that moves by the same step each day differ by the binary noise of its closes.
const NOISE = 1e-12;

function isConstant(values: readonly number[]): boolean {
  return Math.max(...values) - Math.min(...values) <= NOISE;
}
