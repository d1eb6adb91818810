import type { Instant } from '../model/units.ts';
import { findBrokenLink } from '../store/broken-link.ts';
import { type InForce, listDefinitionHistory } from '../store/definitions.ts';
import { listRecalculations } from '../store/restatements.ts';
import { listCalculations } from '../store/standings.ts';
import type { Reader } from '../store/store.ts';
import { type CalculationLog, dueInstants, recalculatedInstants, wasInForce } from './calculated-instants.ts';
import { windows } from './instants.ts';
import { IndexReplay } from './replay-index.ts';
import { RateReplay } from './replay-rate.ts';
import type { FoundDifference, SeriesReplay } from './series-replay.ts';

/** A print that is not what was recorded, or not what its inputs give. */
interface Difference {
  kind: 'index' | 'rate';
  ticker: string;
  at: Instant;
  reason: string;
}

export interface VerifyReport {
  tickers: number;
  /** Prints whose hash chain was followed. */
  chained: number;
  /** Prints that were calculated once more from the stored inputs. */
  recalculated: number;
  /** At most one a ticker: the first print that differs. */
  differences: Difference[];
}

/**
 * Follows the hash chain of every ticker, then calculates its prints once more from the stored observations, with
 * what was known at each run, and compares level, divisor, weights and marks.
 *
 * @param wanted tickers to verify; all when empty
 */
export function verify(reader: Reader, wanted: readonly string[]): VerifyReport {
  const report: VerifyReport = { tickers: 0, chained: 0, recalculated: 0, differences: [] };
  const all = listDefinitionHistory(reader);
  const rates = all.filter((each) => each.kind === 'rate');
  const history = all.filter(({ definition }) => wanted.length === 0 || wanted.includes(definition.ticker));
  const runs = listCalculations(reader);
  for (const versions of Map.groupBy(history, (each) => `${each.kind} ${each.definition.ticker}`).values()) {
    const { kind, definition } = versions[0] as InForce;
    const { ticker } = definition;
    report.tickers++;
    const { prints, broken } = findBrokenLink(reader, kind, ticker);
    report.chained += prints;
    if (broken) {
      // What is not as it was recorded may not even be readable: there is nothing to compare with.
      report.differences.push({ kind, ticker, at: broken.at, reason: broken.reason });
      continue;
    }
    const series = { reader, ticker, versions, rates };
    const { compared, difference } = replay(
      kind === 'index' ? new IndexReplay(series) : new RateReplay(series),
      { versions, runs, recalculations: listRecalculations(reader, kind, ticker) },
    );
    report.recalculated += compared;
    if (difference) report.differences.push({ kind, ticker, ...difference });
  }
  return report;
}

/**
 * Goes through all that was done to a series in its order: runs, and recalculations between them. One that
 * reaches a run's own instant came after that run, all others before it.
 */
function replay(
  series: SeriesReplay,
  log: CalculationLog,
): { compared: number; difference?: FoundDifference } {
  const waiting = [...log.recalculations];
  let compared = 0;
  let after: Instant | undefined;
  const recalculateUntil = (run: Instant): FoundDifference | undefined => {
    for (let next = waiting[0]; next && next.recorded_at <= run && next.until_at < run; next = waiting[0]) {
      waiting.shift();
      const done = series.recalculate(next, recalculatedInstants(log, next));
      if (typeof done !== 'number') return done;
      compared += done;
    }
    return undefined;
  };
  for (const run of log.runs) {
    const version = log.versions.find((each) => wasInForce(each, run));
    if (!version) continue;
    const difference = recalculateUntil(run);
    if (difference) return { compared, difference };
    for (const window of windows(dueInstants(version, after, run))) {
      const done = series.calculate(version, window, run);
      if (typeof done !== 'number') return { compared, difference: done };
      compared += done;
    }
    after = run;
  }
  const difference = recalculateUntil(Number.POSITIVE_INFINITY);
  return { compared, ...(difference ? { difference } : {}) };
}
