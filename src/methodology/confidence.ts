import { median } from 'simple-statistics';
import { leastOf } from '../model/extremes.ts';
import { isFinal } from '../model/mark.ts';
import type { ReceiptLine } from '../model/print.ts';
import { DAY_MS, HOUR_MS } from '../model/time.ts';
import type { Instant, Probability } from '../model/units.ts';
import { exceeds } from './rounding.ts';
import { sum } from './sum.ts';

/** How reliable a number is: A, B or C, the worst of the grades of its figures. */
type Grade = 'A' | 'B' | 'C';

/** Quality figures of a print. Ages are as of the print, the grade as of the answer. */
export interface Confidence {
  grade: Grade;
  /** 1 / (sum of squared weights): 1 if the print has one input, n if it has n of equal weight. */
  effective_inputs: number;
  /** Age of the oldest input at the print, in milliseconds. Payoffs do not age. */
  oldest_input_ms?: number;
  /** Median over the inputs whose book has two sides. */
  median_spread?: Probability;
}

/** The limits of A and B, lowest or highest values allowed; anything beyond is a C. */
const GRADE_LIMITS = {
  coverage: { A: 0.95, B: 0.75 },
  effective_sources: { A: 1.5, B: 1 },
  oldest_input_ms: { A: 6 * HOUR_MS, B: DAY_MS },
  median_spread: { A: 0.05, B: 0.1 },
  outlier_weight: { A: 0, B: 0.5 },
} as const;

/**
 * Quality figures of a print and its grade: an index is graded by its coverage, a rate by its effective sources and by
 * the weight of those flagged as outliers, and both by the age of the oldest input and the median spread. An unknown
 * spread gives a B at best.
 *
 * @param print the lines that entered it, and for an index its coverage
 * @param now instant of the answer: the grade of an old print falls
 */
export function confidenceOf(
  print: { at: Instant; lines: readonly ReceiptLine[]; coverage?: number },
  now: Instant,
): Confidence {
  const inputs = print.lines.filter((line) => line.state === 'included' && line.weight > 0);
  const squares = sum(inputs.map((line) => line.weight * line.weight));
  const effective_inputs = squares > 0 ? 1 / squares : 0;
  const observed = inputs.flatMap((line) =>
    isFinal(line.basis) || line.observed_at === undefined ? [] : [line.observed_at],
  );
  const spreads = inputs.flatMap((line) => line.spread ?? []);
  const oldest = leastOf(observed);
  const spread = spreads.length > 0 ? median(spreads) : undefined;
  const outliers = sum(inputs.map((line) => (line.outlier ? line.weight : 0)));
  const { coverage, effective_sources, oldest_input_ms, median_spread, outlier_weight } = GRADE_LIMITS;
  const grades = [
    print.coverage === undefined
      ? atLeast(effective_inputs, effective_sources)
      : atLeast(print.coverage, coverage),
    oldest === undefined ? 'A' : atMost(now - oldest, oldest_input_ms),
    spread === undefined ? 'B' : atMost(spread, median_spread),
    atMost(outliers, outlier_weight),
  ] as const;
  return {
    grade: grades.includes('C') ? 'C' : grades.includes('B') ? 'B' : 'A',
    effective_inputs,
    ...(oldest === undefined ? {} : { oldest_input_ms: print.at - oldest }),
    ...(spread === undefined ? {} : { median_spread: spread }),
  };
}

type Limits = Record<'A' | 'B', number>;

function atLeast(value: number, limits: Limits): Grade {
  return !exceeds(limits.A, value) ? 'A' : !exceeds(limits.B, value) ? 'B' : 'C';
}

function atMost(value: number, limits: Limits): Grade {
  return !exceeds(value, limits.A) ? 'A' : !exceeds(value, limits.B) ? 'B' : 'C';
}
