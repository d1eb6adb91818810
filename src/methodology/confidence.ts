import { median } from 'simple-statistics';
import { leastOf } from '../model/extremes.ts';
import { isFinal } from '../model/mark.ts';
import type { ReceiptLine } from '../model/print.ts';
import { DAY_MS, HOUR_MS } from '../model/time.ts';
import type { Instant, Probability } from '../model/units.ts';

/** How far a number can be relied on: A, B or C, the worst that any of its figures earns. */
type Grade = 'A' | 'B' | 'C';

/** What a print rests on. Ages are as of the print, the grade as of the answer. */
export interface Confidence {
  grade: Grade;
  /** 1 / (sum of squared weights): 1 when one input makes the whole print, n when n make it alike. */
  effective_inputs: number;
  /** The input that was observed longest ago, in milliseconds before the print. Payoffs do not age. */
  oldest_input_ms?: number;
  /** Of the inputs whose book has two sides. */
  median_spread?: Probability;
}

/** The least, or most, that earns an A and a B; anything else is a C. */
const GRADE_LIMITS = {
  coverage: { A: 0.95, B: 0.75 },
  effective_sources: { A: 1.5, B: 1 },
  oldest_input_ms: { A: 6 * HOUR_MS, B: DAY_MS },
  median_spread: { A: 0.05, B: 0.1 },
} as const;

// 5 cents must not become "over 5" by the binary noise of 0.55 - 0.5, nor one source less than 1.
const NOISE = 1e-9;

/**
 * What a print rests on, with its grade: an index by its coverage, a rate by its effective sources, both by
 * the age of the oldest input and the median spread. A spread that nobody knows earns a B at best.
 *
 * @param print the lines that entered it, and for an index its coverage
 * @param now instant of the answer: a print that stands for long loses its grade
 */
export function confidenceOf(
  print: { at: Instant; lines: readonly ReceiptLine[]; coverage?: number },
  now: Instant,
): Confidence {
  const inputs = print.lines.filter((line) => line.state === 'included' && line.weight > 0);
  const squares = inputs.reduce((sum, line) => sum + line.weight * line.weight, 0);
  const effective_inputs = squares > 0 ? 1 / squares : 0;
  const observed = inputs.flatMap((line) =>
    isFinal(line.basis) || line.observed_at === undefined ? [] : [line.observed_at],
  );
  const spreads = inputs.flatMap((line) => line.spread ?? []);
  const oldest = leastOf(observed);
  const spread = spreads.length > 0 ? median(spreads) : undefined;
  const { coverage, effective_sources, oldest_input_ms, median_spread } = GRADE_LIMITS;
  const grades = [
    print.coverage === undefined
      ? atLeast(effective_inputs, effective_sources)
      : atLeast(print.coverage, coverage),
    oldest === undefined ? 'A' : atMost(now - oldest, oldest_input_ms),
    spread === undefined ? 'B' : atMost(spread, median_spread),
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
  return value + NOISE >= limits.A ? 'A' : value + NOISE >= limits.B ? 'B' : 'C';
}

function atMost(value: number, limits: Limits): Grade {
  return value - NOISE <= limits.A ? 'A' : value - NOISE <= limits.B ? 'B' : 'C';
}
