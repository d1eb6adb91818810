/** Rows multiplied together, three by three: each value read is used in three sums. */
const BLOCK = 3;

/** The number of rows to allocate for a matrix: rows of zeros complete the last block. */
export function paddedRows(count: number): number {
  return Math.ceil(count / BLOCK) * BLOCK;
}

/**
 * The dot products of each row of a matrix with itself and the rows before it.
 *
 * @param rows one after the other, each `width` long, as many as `paddedRows` says
 * @returns matrix, n × n, of which the lower half is filled, and some of the upper
 */
export function rowProducts(rows: Float64Array, count: number, width: number): Float64Array {
  const products = new Float64Array(count * count);
  for (let i = 0; i < count; i += BLOCK)
    for (let j = 0; j <= i; j += BLOCK) multiplyBlock(rows, width, products, count, i, j);
  return products;
}

function multiplyBlock(
  rows: Float64Array,
  width: number,
  products: Float64Array,
  count: number,
  i: number,
  j: number,
): void {
  const upper = i * width;
  const middle = upper + width;
  const lower = middle + width;
  const first = j * width;
  const second = first + width;
  const third = second + width;
  let [a, b, c] = [0, 0, 0];
  let [d, e, f] = [0, 0, 0];
  let [g, h, l] = [0, 0, 0];
  for (let k = 0; k < width; k++) {
    const u = rows[upper + k] as number;
    const v = rows[middle + k] as number;
    const w = rows[lower + k] as number;
    const p = rows[first + k] as number;
    const q = rows[second + k] as number;
    const r = rows[third + k] as number;
    a += u * p;
    b += u * q;
    c += u * r;
    d += v * p;
    e += v * q;
    f += v * r;
    g += w * p;
    h += w * q;
    l += w * r;
  }
  const above = i * count + j;
  const between = above + count;
  const below = between + count;
  products[above] = a;
  products[above + 1] = b;
  products[above + 2] = c;
  products[between] = d;
  products[between + 1] = e;
  products[between + 2] = f;
  products[below] = g;
  products[below + 1] = h;
  products[below + 2] = l;
}
