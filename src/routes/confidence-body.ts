import { type Confidence, confidenceOf } from '../methodology/confidence.ts';
import type { IndexPrint, RatePrint } from '../model/print.ts';
import { SECOND_MS } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { presentCents } from './present.ts';

/** The confidence fields of a rate: its effective number of sources, their age and their spread. */
export function rateConfidence(print: RatePrint, now: Instant) {
  const found = confidenceOf({ at: print.at, lines: print.lines }, now);
  return { grade: found.grade, effective_sources: found.effective_inputs, ...ageAndSpread(found) };
}

/** The confidence fields of an index: how much of its value is priced by good books, their age and their spread. */
export function indexConfidence(print: IndexPrint, now: Instant) {
  const found = confidenceOf(print, now);
  const { coverage } = print;
  return { grade: found.grade, coverage, effective_names: found.effective_inputs, ...ageAndSpread(found) };
}

function ageAndSpread({ oldest_input_ms, median_spread }: Confidence) {
  return {
    oldest_input_age_seconds:
      oldest_input_ms === undefined ? undefined : Math.floor(oldest_input_ms / SECOND_MS),
    median_spread: presentCents(median_spread),
  };
}
