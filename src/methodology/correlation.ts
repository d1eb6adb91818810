import { type Changes, changesOf, sharedChanges, standardise } from './close-changes.ts';
import { rowProducts } from './row-products.ts';

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
  const rows = closes.map(changesOf);
  const products = productsOf(rows);
  // Row j has its first j cells when its turn comes, and gets one from each row after it.
  const matrix = rows.map((): (number | null)[] => []);
  const changes = rows.map((): number[] => []);
  for (let i = 0; i < rows.length; i++) {
    const a = rows[i] as Changes;
    for (let j = 0; j < i; j++) {
      const b = rows[j] as Changes;
      const product = products[i * rows.length + j] as number;
      const { count, correlation } = a.gaps === b.gaps ? alikePair(a, b, product) : sharedPair(a, b);
      matrix[i]?.push(correlation);
      matrix[j]?.push(correlation);
      changes[i]?.push(count);
      changes[j]?.push(count);
    }
    matrix[i]?.push(1);
    changes[i]?.push(a.count);
  }
  return { market_ids, matrix, changes };
}

interface Pair {
  count: number;
  correlation: number | null;
}

/** The products of all standardised rows: right for two that have the same gaps. */
function productsOf(rows: readonly Changes[]): Float64Array {
  const width = rows[0]?.values.length ?? 0;
  const values = new Float64Array(rows.length * width);
  for (const [i, { standard }] of rows.entries()) if (standard) values.set(standard, i * width);
  return rowProducts(values, rows.length, width);
}

function alikePair({ count, standard }: Changes, other: Changes, product: number): Pair {
  const known = count >= LEAST_CHANGES && standard !== undefined && other.standard !== undefined;
  return { count, correlation: known ? Math.max(-1, Math.min(1, product)) : null };
}

/** Two rows with gaps of their own are standardised anew, over the changes that both have. */
function sharedPair(a: Changes, b: Changes): Pair {
  const [x, y] = sharedChanges(a.values, b.values);
  const [left, right] = [standardise(x), standardise(y)];
  let product = 0;
  for (const [k, value] of (left ?? []).entries()) product += value * (right?.[k] ?? 0);
  return alikePair({ ...a, count: x.length, standard: left }, { ...b, standard: right }, product);
}
