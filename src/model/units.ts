/** A price in cents of a contract that pays 100: 0 to 100, not an integer. */
export type Cents = number;

/** A price or probability as a fraction: 0 to 1. All calculations use it. */
export type Probability = number;

/** A share of an index, as a fraction of 1. */
export type Weight = number;

/** An instant: milliseconds since 1970 in UTC. */
export type Instant = number;

/** A calendar day of the US East, `YYYY-MM-DD`. */
export type EasternDay = string;

/** The half-cent floor: the mark of an active contract that has no quote and was never traded. */
export const HALF_CENT: Probability = 0.005;

/**
 * Cents as they are written to JSON: four decimals of a cent.
 *
 * @example toCents(0.12345678) // 12.3457
 */
export function toCents(probability: Probability): Cents {
  return roundTo(probability * 100, 4);
}

/** A price in cents as a fraction. @example fromCents(12.5) // 0.125 */
export function fromCents(cents: Cents): Probability {
  return cents / 100;
}

/** An index level as it is written to JSON: six decimals. */
export function toLevel(level: number): number {
  return roundTo(level, 6);
}

/**
 * A number rounded at a decimal place; never minus zero.
 *
 * @example roundTo(1.00000049999, 6) // 1
 */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  const scaled = value * scale;
  const whole = Math.round(scaled);
  // Scaling errs by less than a millionth of a unit here, so that only values close to a half need toFixed, which takes
  // five times as long. The quotient of the whole number and the scale is the double nearest to the decimal.
  const isClear = Math.abs(scaled) < 1e9 && Math.abs(Math.abs(scaled - whole) - 0.5) > 1e-6;
  return (isClear ? whole / scale : Number(value.toFixed(decimals))) + 0;
}

/**
 * A count or fraction as it is written to JSON: rounded to fifteen digits, which removes the rounding errors of binary
 * sums.
 *
 * @example toPlain(0.1 + 0.2) // 0.3
 */
export function toPlain(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}
