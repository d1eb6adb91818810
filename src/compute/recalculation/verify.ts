import { dailyCloses } from '../../methodology/closes.ts';
import { indexVersion } from '../../methodology/index-families/index-families.ts';
import { familyOf } from '../../methodology/rate-families/rate-families.ts';
import type { SeriesKind } from '../../model/constituent-id.ts';
import type { Instant } from '../../model/units.ts';
import { findUnannounced, followAnnouncements } from '../../store/definitions/announcements.ts';
import { type InForce, listDefinitionHistory } from '../../store/definitions/definitions.ts';
import { findAlteredDefinition, findAlteredRestatement } from '../../store/prints/altered-records.ts';
import { findBrokenLink } from '../../store/prints/broken-link.ts';
import {
  EVER,
  listPrintVersions,
  listValues,
  type PrintsOfVersion,
} from '../../store/prints/known-prints.ts';
import { listCloses } from '../../store/prints/standings.ts';
import type { Reader } from '../../store/store.ts';
import { loadCalculationLog } from '../series/calculated-instants.ts';
import { windows } from '../series/instants.ts';
import { joinRuns } from './joined-runs.ts';
import { IndexReplay } from './replay-index.ts';
import { RateReplay } from './replay-rate.ts';
import type { FoundDifference, ReplayedSeries } from './series-replay.ts';
import { rangeSince, recalculationsWithin, runsWithin, type VerifiedRange, WHOLE } from './verified-range.ts';

/** A print or a notice that is not what was recorded, or a print that is not what its inputs give. */
interface Difference {
  kind: SeriesKind | 'announcement';
  /** Null for a notice about all indices. */
  ticker: string | null;
  at: Instant;
  reason: string;
}

export interface VerifyReport {
  tickers: number;
  /** Prints whose hash chain was followed. */
  chained: number;
  /** Prints that were calculated once more from the stored inputs. */
  recalculated: number;
  /** Prints, by the version of the methodology that made them, of versions that this program does not calculate. */
  of_other_versions: Record<string, number>;
  /** Notices whose hash chain was followed. */
  announcements: number;
  /** At most one a ticker: the first print that differs; and the first notice. */
  differences: Difference[];
}

/**
 * Follows the hash chain of every ticker, then calculates its prints once more from the stored observations, with
 * what was known at each run, and compares level, divisor, weights and marks, and the ledger. Definitions,
 * restatements and closes must agree with the prints. Of the notices it follows the chain, of all at once. What another
 * version of the methodology made is not calculated once more: the first print after it goes on from what is recorded.
 *
 * @param wanted tickers to verify; all when empty
 * @param range of the prints that are calculated once more; all else is held to each other whole
 */
export function verify(reader: Reader, wanted: readonly string[], range = WHOLE): VerifyReport {
  const { announcements, broken: altered } = followAnnouncements(reader);
  const report: VerifyReport = {
    tickers: 0,
    chained: 0,
    recalculated: 0,
    of_other_versions: {},
    announcements,
    differences: [],
  };
  if (altered)
    report.differences.push({
      kind: 'announcement',
      ticker: altered.ticker,
      at: altered.announced_at,
      reason: 'it was altered, or the one before it is missing',
    });
  const all = listDefinitionHistory(reader);
  const rates = all.filter((each) => each.kind === 'rate');
  const history = all.filter(({ definition }) => wanted.length === 0 || wanted.includes(definition.ticker));
  for (const versions of Map.groupBy(history, (each) => `${each.kind} ${each.definition.ticker}`).values()) {
    const { kind, definition } = versions[0] as InForce;
    const { ticker } = definition;
    report.tickers++;
    const difference = verifySeries({ reader, kind, ticker, versions, rates }, range, report);
    if (difference) report.differences.push({ kind, ticker, ...difference });
  }
  return report;
}

/** Verifies one series and adds what was followed and calculated to a report. @returns its first difference */
function verifySeries(
  series: ReplayedSeries,
  range: VerifiedRange,
  report: VerifyReport,
): FoundDifference | undefined {
  const { reader, kind, ticker } = series;
  const { prints, broken } = findBrokenLink(reader, kind, ticker);
  report.chained += prints;
  // What is not as it was recorded may not even be readable: there is nothing to compare with.
  if (broken) return { at: broken.at, reason: broken.reason };
  const defined = findAlteredDefinition(reader, kind, ticker);
  if (defined !== undefined) return { at: defined, reason: 'the definition adopted then was altered' };
  const others = listOtherVersions(series);
  for (const { methodology_version: version, prints } of others)
    report.of_other_versions[version] = (report.of_other_versions[version] ?? 0) + prints;
  const since = Math.max(Number.NEGATIVE_INFINITY, ...others.map((each) => each.last_recorded_at));
  for (const found of replay(series, range, since)) {
    if (typeof found !== 'number') return found;
    report.recalculated += found;
  }
  return findAltered(series);
}

/** The versions of the methodology that made prints of a series and that this program does not calculate. */
function listOtherVersions({ reader, kind, ticker, versions }: ReplayedSeries): PrintsOfVersion[] {
  const ours = new Set(versions.map((each) => methodologyVersion(each.definition)));
  return listPrintVersions(reader, kind, ticker).filter((each) => !ours.has(each.methodology_version));
}

function methodologyVersion(definition: InForce['definition']): string {
  return 'sources' in definition ? familyOf(definition).version : indexVersion(definition);
}

/** What is recorded beside the prints of a ticker and does not agree with them. */
function findAltered({ reader, kind, ticker }: ReplayedSeries): FoundDifference | undefined {
  const silent = kind === 'index' ? findUnannounced(reader, ticker) : undefined;
  if (silent !== undefined)
    return {
      at: silent,
      reason: 'the definition adopted then takes effect at an instant that no notice tells',
    };
  const restated = findAlteredRestatement(reader, kind, ticker);
  if (restated !== undefined) return { at: restated, reason: 'its restatement is missing or was altered' };
  const prints = listValues(reader, { kind, ticker }, 0, EVER);
  const closes = dailyCloses(prints.map((print) => print.at));
  const recorded = new Map(
    listCloses(reader, kind, ticker, EVER, LAST_DAY).map((each) => [each.day, each.at]),
  );
  const other = closes.find(({ day, at }) => recorded.get(day) !== at);
  return other && { at: other.at, reason: 'it is the last of its day and not recorded as its close' };
}

/** Later than all. */
const LAST_DAY = '9999-12-31';

/**
 * Goes through all that was done to a series in its order: what the runs calculated, and each recalculation where the
 * series stood when it came.
 *
 * @param since leaves out what was done up to an instant, but for prints that a later recalculation reaches
 * @returns numbers of equal prints, and differences: after one nothing that follows can be told
 */
function* replay(
  series: ReplayedSeries,
  range: VerifiedRange,
  since: Instant,
): Generator<number | FoundDifference> {
  const { reader, kind, ticker, versions } = series;
  const log = loadCalculationLog(reader, kind, ticker, versions);
  const Replay = kind === 'index' ? IndexReplay : RateReplay;
  const replayed = new Replay(series, rangeSince(range, log.runs, since), log.runs);
  const runs = runsWithin(log, replayed.range);
  const reached = { from: Math.min(range.from, replayed.range.from), to: replayed.range.to };
  const waiting = recalculationsWithin(log, reached, since);
  function* recalculateBefore(at: Instant) {
    for (let next = waiting[0]; next && next.recalculation.until_at < at; next = waiting[0]) {
      waiting.shift();
      yield replayed.recalculate(next.recalculation, next.instants);
    }
  }
  for (const { run, version, instants } of joinRuns(reader, versions, runs)) {
    for (let from = 0; from < instants.length; ) {
      yield* recalculateBefore(instants[from] as Instant);
      const stoodAt = waiting[0]?.recalculation.until_at ?? Number.POSITIVE_INFINITY;
      const [window = []] = windows(instants.slice(from).filter((at) => at <= stoodAt));
      yield replayed.calculate(version, window, run);
      from += window.length;
    }
  }
  yield* recalculateBefore(Number.POSITIVE_INFINITY);
  yield replayed.end();
}
