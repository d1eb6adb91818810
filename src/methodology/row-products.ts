/** Rows multiplied at a time, each of the first with each of the second: a value that is read serves many sums. */
const [TALL, WIDE] = [2, 4];

/** The number of rows that a matrix of some rows is to have: rows of zeros fill the last block up. */
export function paddedRows(count: number): number {
  return Math.ceil(count / WIDE) * WIDE;
}

/**
 * The products of each row of a matrix with itself and those before it.
 *
 * @param rows one after the other, each `width` long, as many as `paddedRows` says
 * @returns matrix, n × n, of which the lower half is filled, and some of the upper
 */
export function rowProducts(rows: Float64Array, count: number, width: number): Float64Array {
  const products = new Float64Array(count * count);
  for (let i = 0; i < count; i += TALL)
    for (let j = 0; j < i + TALL; j += WIDE) multiplyBlock(rows, width, products, count, i, j);
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
  const lower = upper + width;
  const first = j * width;
  const second = first + width;
  const third = second + width;
  const fourth = third + width;
  let [a, b, c, d] = [0, 0, 0, 0];
  let [e, f, g, h] = [0, 0, 0, 0];
  for (let k = 0; k < width; k++) {
    const u = rows[upper + k] as number;
    const l = rows[lower + k] as number;
    const p = rows[first + k] as number;
    const q = rows[second + k] as number;
    const r = rows[third + k] as number;
    const s = rows[fourth + k] as number;
    a += u * p;
    b += u * q;
    c += u * r;
    d += u * s;
    e += l * p;
    f += l * q;
    g += l * r;
    h += l * s;
  }
  const above = i * count + j;
  const below = above + count;
  products[above] = a;
  products[above + 1] = b;
  products[above + 2] = c;
  products[above + 3] = d;
  products[below] = e;
  products[below + 1] = f;
  products[below + 2] = g;
  products[below + 3] = h;
}
