/** Rows multiplied at a time: each value that is read serves as many sums, and none waits for another. */
const BLOCK = 4;

/**
 * The products of each row of a matrix with itself and those before it.
 *
 * @param values rows one after the other, each `width` long
 * @returns matrix, n × n, of which the lower half is filled
 */
export function rowProducts(values: Float64Array, count: number, width: number): Float64Array {
  // Rows of zeros fill the last block up.
  const blocks = Math.ceil(count / BLOCK);
  const rows = new Float64Array(blocks * BLOCK * width);
  rows.set(values.subarray(0, count * width));
  const products = new Float64Array(count * count);
  for (let i = 0; i < count; i++)
    for (let j = 0; j <= i; j += BLOCK) {
      const from = i * width;
      const first = j * width;
      const second = first + width;
      const third = second + width;
      const fourth = third + width;
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let k = 0; k < width; k++) {
        const value = rows[from + k] as number;
        a += value * (rows[first + k] as number);
        b += value * (rows[second + k] as number);
        c += value * (rows[third + k] as number);
        d += value * (rows[fourth + k] as number);
      }
      const to = i * count + j;
      products[to] = a;
      if (j + 1 <= i) products[to + 1] = b;
      if (j + 2 <= i) products[to + 2] = c;
      if (j + 3 <= i) products[to + 3] = d;
    }
  return products;
}
