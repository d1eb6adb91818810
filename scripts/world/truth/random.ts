/** Randomness as a pure function of keys: any draw can be made alone, in any order, with the same result. */

/** Mixes two 32-bit numbers into a third, well spread (MurmurHash3 finalizer). */
export function mix(a: number, b: number): number {
  let h = (a ^ Math.imul(b + 0x7f4a7c15, 0x9e3779b1)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Hash of a text under a seed, 32 bits (FNV-1a, then mixed). */
export function hashText(seed: number, text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(h >>> 0, seed);
}

/** A hash as a number strictly between 0 and 1. */
export function unit(hash: number): number {
  return (hash + 0.5) / 4294967296;
}

/** A hash as a draw from the standard normal distribution (Acklam's inverse, relative error below 1e-8). */
export function normal(hash: number): number {
  const p = unit(hash);
  if (p < 0.02425) return tail(Math.sqrt(-2 * Math.log(p)));
  if (p > 1 - 0.02425) return -tail(Math.sqrt(-2 * Math.log(1 - p)));
  const q = p - 0.5;
  const r = q * q;
  const numerator =
    ((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.357751867269) * r -
      30.66479806614716) *
      r +
    2.506628277459239;
  const denominator =
    ((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r -
      13.28068155288572) *
      r +
    1;
  return (numerator * q) / denominator;
}

function tail(q: number): number {
  const numerator =
    ((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) *
      q +
      4.374664141464968) *
      q +
    2.938163982698783;
  const denominator =
    (((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q +
    1;
  return numerator / denominator;
}

/** Standard normal distribution function (Abramowitz and Stegun 26.2.17, absolute error below 1e-7). */
export function normalBelow(x: number): number {
  const z = Math.abs(x);
  const k = 1 / (1 + 0.2316419 * z);
  const poly =
    k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const upper = 0.3989422804014327 * Math.exp(-0.5 * z * z) * poly;
  return x >= 0 ? 1 - upper : upper;
}

/** Smooth noise between 0 and 1: hashes at whole positions, straight lines between them. */
export function valueNoise(seed: number, position: number): number {
  const whole = Math.floor(position);
  const left = unit(mix(seed, whole));
  return left + (unit(mix(seed, whole + 1)) - left) * (position - whole);
}
