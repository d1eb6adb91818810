/** The sum, added in the given order: the same numbers always give the same last digit. */
export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
