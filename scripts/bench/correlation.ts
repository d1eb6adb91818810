/** A correlation matrix of 100 names over 90 days, beside simple-statistics pair by pair. */
import { median, sampleCorrelation } from 'simple-statistics';
import { correlate } from '../../src/methodology/correlation.ts';
import { makeWorld } from './compute-world.ts';
import { print } from './print.ts';
import { timed } from './processor-time.ts';

const NAMES = 100;
const DAYS = 90;
const RUNS = 400;
/** Runs before that, so that both are compiled. */
const WARM_UP = 200;

/** Prints the ratio of the medians, and the greatest difference of a cell. */
export function measureCorrelation(): void {
  const rows = makeWorld(NAMES / 20, DAYS - 1).prices.map((row) => [...row]);
  const changes = rows.map((row) => row.slice(1).map((close, i) => close - (row[i] as number)));
  const names = rows.map((_row, i) => String(i));
  const took: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  for (let run = -WARM_UP; run < RUNS; run++) {
    const ours = timed(() => correlate(names, rows)).took;
    const theirs = timed(() => pairByPair(changes)).took;
    if (run < 0) continue;
    took.ours.push(ours);
    took.theirs.push(theirs);
  }
  const { matrix } = correlate(names, rows);
  const differences = pairByPair(changes).flatMap((row, i) =>
    row.map((value, j) => Math.abs(value - (matrix[i]?.[j] ?? Number.NaN))),
  );
  const ratio = median(took.theirs) / median(took.ours);
  print(
    `simple-statistics pair by pair over our ${NAMES} x ${NAMES} matrix of ${DAYS} days`,
    `${ratio.toFixed(1)} x, cells differ by ${Math.max(...differences).toExponential(0)} at most`,
  );
}

function pairByPair(rows: readonly number[][]): number[][] {
  const matrix = rows.map(() => rows.map(() => 1));
  for (let i = 0; i < rows.length; i++)
    for (let j = 0; j < i; j++) {
      const value = sampleCorrelation(rows[i] as number[], rows[j] as number[]);
      (matrix[i] as number[])[j] = (matrix[j] as number[])[i] = value;
    }
  return matrix;
}
