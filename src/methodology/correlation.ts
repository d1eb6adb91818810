import { type Changes, changesOf, sharedChanges, standardise } from './close-changes.ts';
import { paddedRows, rowProducts } from './row-products.ts';

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
  const width = Math.max(0, (closes[0]?.length ?? 0) - 1);
  const size = paddedRows(closes.length);
  const [values, standard] = [new Float64Array(size * width), new Float64Array(size * width)];
  const rows = closes.map((row, i) => {
    const [from, until] = [i * width, (i + 1) * width];
    return changesOf(row, values.subarray(from, until), standard.subarray(from, until));
  });
  // Right for two rows that have the same gaps.
  const products = rowProducts(standard, size, width);
  const counts = new Uint32Array(products.length);
  for (let i = 0; i < rows.length; i++) {
    const a = rows[i] as Changes;
    for (let j = 0; j < i; j++) {
      const b = rows[j] as Changes;
      const place = i * size + j;
      const mirrored = j * size + i;
      const shared = a.gaps === b.gaps ? undefined : sharedPair(a, b);
      const count = shared?.count ?? a.count;
      const product = shared?.product ?? (a.varies && b.varies ? (products[place] as number) : Number.NaN);
      products[place] = products[mirrored] = count >= LEAST_CHANGES ? product : Number.NaN;
      counts[place] = counts[mirrored] = count;
    }
    products[i * size + i] = 1;
    counts[i * size + i] = a.count;
  }
  return { market_ids, ...cellsOf(products, counts, size, rows.length) };
}

/** Two rows with gaps of their own are standardised anew, over the changes that both have; NaN without variance. */
function sharedPair(a: Changes, b: Changes): { count: number; product: number } {
  const [x, y] = sharedChanges(a.values, b.values);
  const [left, right] = [new Float64Array(x.length), new Float64Array(x.length)];
  if (!(standardise(x, left) && standardise(y, right))) return { count: x.length, product: Number.NaN };
  let product = 0;
  for (let k = 0; k < x.length; k++) product += (left[k] as number) * (right[k] as number);
  return { count: x.length, product };
}

/** The rows of the matrices: a product kept inside [-1, 1], null where it is NaN. @param size of a row of both */
function cellsOf(
  products: Float64Array,
  counts: Uint32Array,
  size: number,
  length: number,
): Pick<CorrelationMatrix, 'matrix' | 'changes'> {
  const matrix: (number | null)[][] = [];
  const changes: number[][] = [];
  for (let i = 0; i < length; i++) {
    // Of their length from the beginning: to grow them costs twice the rest.
    const correlations = new Array<number | null>(length);
    const entered = new Array<number>(length);
    for (let j = 0; j < length; j++) {
      const product = products[i * size + j] as number;
      correlations[j] = Number.isNaN(product) ? null : Math.max(-1, Math.min(1, product));
      entered[j] = counts[i * size + j] as number;
    }
    matrix.push(correlations);
    changes.push(entered);
  }
  return { matrix, changes };
}
