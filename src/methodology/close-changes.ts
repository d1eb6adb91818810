/** Changes of a row of closes from each to the next. */
export interface Changes {
  /** NaN where one of the two closes is absent. */
  values: Float64Array;
  /** Says which are absent: rows with the same text have the same gaps. */
  gaps: string;
  /** How many there are. */
  count: number;
  /** Those that there are, with mean 0 and length 1; undefined without variance. */
  standard: Float64Array | undefined;
}

/** The changes of some closes, undefined where there was none, made ready to be multiplied with others. */
export function changesOf(closes: readonly (number | undefined)[]): Changes {
  const values = new Float64Array(Math.max(0, closes.length - 1));
  for (let i = 0; i < values.length; i++)
    values[i] = (closes[i + 1] ?? Number.NaN) - (closes[i] ?? Number.NaN);
  const known = withoutGaps(values, values);
  const gaps =
    known.length === values.length ? '' : Array.from(values, (each) => +Number.isNaN(each)).join('');
  return { values, gaps, count: known.length, standard: standardise(known) };
}

/** The changes that two rows both have, those of the first one and those of the second. */
export function sharedChanges(a: Float64Array, b: Float64Array): [Float64Array, Float64Array] {
  return [withoutGaps(a, b), withoutGaps(b, a)];
}

/** The values of a row where neither it nor another one has a gap. */
function withoutGaps(values: Float64Array, other: Float64Array): Float64Array {
  const kept = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!Number.isNaN(value) && !Number.isNaN(other[i])) kept[count++] = value;
  }
  return kept.subarray(0, count);
}

// Changes of a price that moves by the same step each day differ by the binary noise of its closes.
const NOISE = 1e-12;

/** The values with their mean taken off, divided by their length; undefined without variance. */
export function standardise(values: Float64Array): Float64Array | undefined {
  let [least, most, total] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (value < least) least = value;
    if (value > most) most = value;
    total += value;
  }
  if (!(most - least > NOISE)) return undefined;
  const mean = total / values.length;
  const standard = new Float64Array(values.length);
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    const deviation = (values[i] as number) - mean;
    standard[i] = deviation;
    squares += deviation * deviation;
  }
  const length = Math.sqrt(squares);
  for (let i = 0; i < standard.length; i++) standard[i] = (standard[i] as number) / length;
  return standard;
}
