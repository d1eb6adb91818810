import type { Probability } from '../../model/units.ts';

/**
 * The mean of marks by parts that need not sum to 1.
 *
 * @param prices one a source
 * @param parts of each source that has one, with a price; NaN of any other. Becomes the shares, which sum to 1
 * @returns a price that lies within the marks, whatever rounding does; NaN when no part is above 0
 * @example meanByParts([0.4, 0.5], [1, 3]) // 0.475, the parts become [0.25, 0.75]
 */
export function meanByParts(prices: Float64Array, parts: Float64Array): Probability {
  let total = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as number;
    if (!Number.isNaN(part)) total += part;
  }
  if (!(total > 0)) return Number.NaN;
  let price = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < parts.length; i++) {
    const share = (parts[i] as number) / total;
    parts[i] = share;
    // Also where it is NaN.
    if (!(share > 0)) continue;
    const mark = prices[i] as number;
    price += mark * share;
    least = Math.min(least, mark);
    most = Math.max(most, mark);
  }
  // Rounding could leave the marks by a last digit.
  return Math.min(most, Math.max(least, price));
}
