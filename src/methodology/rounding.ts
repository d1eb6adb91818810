/**
 * What lies at a limit but for the rounding of binary numbers counts as at it: 0.6 - 0.4 is not below 0.2, nor is 0.55 - 0.5
 * above 0.05. Rounding errors of prices, shares and their sums are smaller than this, and any other difference is larger.
 */
const NOISE = 1e-12;

/** Whether a number is above another by more than rounding. @example exceeds(0.1 + 0.2, 0.3) // false */
export function exceeds(value: number, limit: number): boolean {
  return value - limit > NOISE;
}

/** Whether two numbers differ by more than rounding. NaN, for none, differs from any. */
export function differs(a: number, b: number): boolean {
  return !(Math.abs(a - b) <= NOISE);
}
