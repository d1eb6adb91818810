import { type Changes, changesOf, sharedChanges, standardise } from './close-changes.ts';
import { paddedRows, rowProducts } from './row-products.ts';

/** Fewest changes that a pair needs; with fewer, its correlation is null. */
export const LEAST_CHANGES = 20;
/** Most daily closes used. */
export const CORRELATION_CLOSES = 90;

/** A correlation matrix, n × n, in the order of `market_ids`; `changes` is the number of changes behind each cell. */
export interface CorrelationMatrix {
  market_ids: string[];
  matrix: (number | null)[][];
  changes: number[][];
}

/**
 * Pearson correlation of the changes from one close to the next, for each pair over the changes that both have. The
 * diagonal is 1; a pair with too few changes or without variance is null; values are clamped to [-1, 1] against
 * rounding errors.
 *
 * @param closes one row per market: its marks at the closes, in order, undefined where it had none
 * @see Spec 4.3, correlation
 */
export function correlate(
  market_ids: string[],
  closes: readonly (number | undefined)[][],
): CorrelationMatrix {
  const width = Math.max(0, (closes[0]?.length ?? 0) - 1);
  const size = paddedRows(closes.length);
  const [values, standard] = [new Float64Array(size * width), new Float64Array(size * width)];
  const rows = closes.map((row, i) => {
    const [from, until] = [i * width, (i + 1) * width];
    return changesOf(row, values.subarray(from, until), standard.subarray(from, until));
  });
  const products = rowProducts(standard, size, width);
  // Allocated at full length: growing them would take twice as long as everything else.
  const matrix = rows.map(() => new Array<number | null>(rows.length));
  const changes = rows.map(() => new Array<number>(rows.length));
  for (let i = 0; i < rows.length; i++) {
    const a = rows[i] as Changes;
    const [correlations, entered] = [matrix[i] as (number | null)[], changes[i] as number[]];
    for (let j = 0; j < i; j++) {
      const b = rows[j] as Changes;
      let count = a.count;
      let product = a.varies && b.varies ? (products[i * size + j] as number) : Number.NaN;
      if (a.gaps !== b.gaps) ({ count, product } = sharedPair(a, b));
      entered[j] = (changes[j] as number[])[i] = count;
      const mirrored = matrix[j] as (number | null)[];
      // Numbers and nulls are assigned separately: a variable that may hold either would be boxed first.
      if (count >= LEAST_CHANGES && !Number.isNaN(product))
        correlations[j] = mirrored[i] = Math.max(-1, Math.min(1, product));
      else correlations[j] = mirrored[i] = null;
    }
    correlations[i] = 1;
    entered[i] = a.count;
  }
  return { market_ids, matrix, changes };
}

/** Standardises two rows with different gaps again, over the changes that both have; NaN without variance. */
function sharedPair(a: Changes, b: Changes): { count: number; product: number } {
  const [x, y] = sharedChanges(a.values, b.values);
  const [left, right] = [new Float64Array(x.length), new Float64Array(x.length)];
  if (!(standardise(x, left) && standardise(y, right))) return { count: x.length, product: Number.NaN };
  let product = 0;
  for (let k = 0; k < x.length; k++) product += (left[k] as number) * (right[k] as number);
  return { count: x.length, product };
}
