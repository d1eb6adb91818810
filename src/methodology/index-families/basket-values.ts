/** Lines added in one pass, so that each sum is read and written once for four lines. */
const PASS = 4;

/**
 * The value of a basket at each of some instants: quantity times price over all lines. They are added in order, so that
 * the result equals one-by-one addition to the last digit.
 *
 * @param prices one row per line, one price per instant
 */
export function basketValues(quantities: readonly number[], prices: readonly Float64Array[], count: number) {
  const values = new Float64Array(count);
  const whole = quantities.length - (quantities.length % PASS);
  for (let i = 0; i < whole; i += PASS) addFour(values, quantities, prices, i);
  for (let i = whole; i < quantities.length; i++)
    addOne(values, quantities[i] as number, prices[i] as Float64Array);
  return values;
}

function addFour(
  values: Float64Array,
  quantities: readonly number[],
  prices: readonly Float64Array[],
  i: number,
): void {
  const [a, b, c, d] = quantities.slice(i, i + PASS) as [number, number, number, number];
  const [first, second, third, fourth] = prices.slice(i, i + PASS) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let t = 0; t < values.length; t++)
    values[t] =
      (values[t] as number) +
      a * (first[t] as number) +
      b * (second[t] as number) +
      c * (third[t] as number) +
      d * (fourth[t] as number);
}

function addOne(values: Float64Array, quantity: number, prices: Float64Array): void {
  for (let t = 0; t < values.length; t++)
    values[t] = (values[t] as number) + quantity * (prices[t] as number);
}
