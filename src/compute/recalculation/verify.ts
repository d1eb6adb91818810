import { dailyCloses } from '../../methodology/closes.ts';
import { indexFamilyOf } from '../../methodology/index-families/index-families.ts';
import { rateFamilyOf } from '../../methodology/rate-families/rate-families.ts';
import type { SeriesKind } from '../../model/constituent-id.ts';
import { type Definition, isRate } from '../../model/definitions/definition.ts';
import { failureCode, messageOf } from '../../model/errors.ts';
import { firstPlace } from '../../model/first-place.ts';
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
import { findCalculatedTo, listCloses } from '../../store/prints/standings.ts';
import { type BrokenRecord, findBrokenRecords, type RecordName } from '../../store/record-links.ts';
import type { Reader } from '../../store/store.ts';
import { loadCalculationLog } from '../series/calculated-instants.ts';
import { WINDOW } from '../series/instants.ts';
import { joinRuns } from './joined-runs.ts';
import { IndexReplay } from './replay-index.ts';
import { RateReplay } from './replay-rate.ts';
import type { FoundDifference, ReplayedSeries } from './series-replay.ts';
import { rangeSince, recalculationsWithin, runsWithin, type VerifiedRange, WHOLE } from './verified-range.ts';

/** A print or another record that is not as recorded, or a print that does not follow from its inputs. */
type Difference = BrokenRecord;

export interface VerifyReport {
  tickers: number;
  /** Prints whose hash chain was followed. */
  chained: number;
  /** Prints that were recalculated from the stored inputs. */
  recalculated: number;
  /** Prints made by versions of the methodology that this program does not implement, by version. */
  of_other_versions: Record<string, number>;
  announcements: number;
  /** The first difference of each series, and the first of the notices and of the runs. */
  differences: Difference[];
}

/**
 * Follows the hash chain of every ticker, then recalculates its prints from the stored observations with what was known
 * at each run, and compares level, divisor, weights, marks and the ledger. Definitions, restatements and closes must
 * agree with the prints. What is recorded besides prints has one chain, which is always followed. Prints of other
 * versions of the methodology are not recalculated: the first print after them continues from the recorded ones.
 *
 * @param wanted tickers to verify; all if empty
 * @param range of the prints to recalculate; everything else is always checked completely
 */
export function verify(reader: Reader, wanted: readonly string[], range = WHOLE): VerifyReport {
  const { announcements, broken } = followAnnouncements(reader);
  const report: VerifyReport = {
    tickers: 0,
    chained: 0,
    recalculated: 0,
    of_other_versions: {},
    announcements,
    differences: [],
  };
  const differences = new Map<string, Difference>();
  const add = (difference: Difference) => {
    if (!differences.has(groupOf(difference))) differences.set(groupOf(difference), difference);
  };
  const records = findBrokenRecords(reader).filter(
    ({ kind, ticker }) => !isSeries(kind) || wanted.length === 0 || wanted.includes(ticker ?? ''),
  );
  if (broken) add(broken);
  for (const each of records) if (each.kind === 'announcement') add(each);
  const all = listDefinitionHistory(reader);
  const rates = all.filter((each) => each.kind === 'rate');
  const history = all.filter(({ definition }) => wanted.length === 0 || wanted.includes(definition.ticker));
  const named = history.map((each) => ({ ...each, ticker: each.definition.ticker }));
  for (const versions of Map.groupBy(named, groupOf).values()) {
    const { kind, ticker } = versions[0] as InForce;
    report.tickers++;
    const found = verifyReadable({ reader, kind, ticker, versions, rates }, range, report);
    if (found) add({ kind, ticker, ...found });
  }
  for (const each of records) add(each);
  return { ...report, differences: [...differences.values()] };
}

function isSeries(kind: RecordName['kind']): kind is SeriesKind {
  return kind === 'index' || kind === 'rate';
}

/** Of what only the first difference is named: a series, the notices or the runs. */
function groupOf({ kind, ticker }: Pick<RecordName, 'kind' | 'ticker'>): string {
  return isSeries(kind) ? `${kind} ${ticker}` : kind;
}

/**
 * Verifies one series. A record may be altered so that it cannot even be read; the others are verified nevertheless.
 *
 * @returns its first difference
 * @throws what SQLite throws
 */
function verifyReadable(
  series: ReplayedSeries,
  range: VerifiedRange,
  report: VerifyReport,
): FoundDifference | undefined {
  try {
    return verifySeries(series, range, report);
  } catch (thrown) {
    if (failureCode(thrown)?.startsWith('SQLITE_')) throw thrown;
    const { reader, versions } = series;
    const at = findCalculatedTo(reader, series) ?? versions[0]?.adopted_at ?? 0;
    return { at, reason: `it cannot be recalculated: ${messageOf(thrown)}` };
  }
}

/** Verifies one series and adds its counts to a report. @returns its first difference */
function verifySeries(
  series: ReplayedSeries,
  range: VerifiedRange,
  report: VerifyReport,
): FoundDifference | undefined {
  const { reader } = series;
  const { prints, broken } = findBrokenLink(reader, series);
  report.chained += prints;
  // An altered record may not even be readable, so there is nothing to compare with.
  if (broken) return { at: broken.at, reason: broken.reason };
  const defined = findAlteredDefinition(reader, series);
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

/** The versions of the methodology that made prints of a series but are not implemented by this program. */
function listOtherVersions(series: ReplayedSeries): PrintsOfVersion[] {
  const { reader, versions } = series;
  const ours = new Set(versions.map((each) => familyOf(each.definition).version));
  return listPrintVersions(reader, series).filter((each) => !ours.has(each.methodology_version));
}

function familyOf(definition: Definition) {
  return isRate(definition) ? rateFamilyOf(definition) : indexFamilyOf(definition);
}

/** Finds a record that does not agree with the prints of a ticker: a notice, a restatement or a close. */
function findAltered(series: ReplayedSeries): FoundDifference | undefined {
  const { reader, kind, ticker } = series;
  const silent = kind === 'index' ? findUnannounced(reader, ticker) : undefined;
  if (silent !== undefined)
    return {
      at: silent,
      reason: 'no notice says when the definition adopted then takes effect',
    };
  const restated = findAlteredRestatement(reader, series);
  if (restated !== undefined) return { at: restated, reason: 'its restatement is missing or was altered' };
  const prints = listValues(reader, series, 0, EVER);
  const closes = dailyCloses(prints.map((print) => print.at));
  const recorded = new Map(listCloses(reader, series).map((each) => [each.day, each.at]));
  const other = closes.find(({ day, at }) => recorded.get(day) !== at);
  if (other) return { at: other.at, reason: 'it is the last of its day but not recorded as the close' };
  for (const { day } of closes) recorded.delete(day);
  const [wrong] = recorded.values();
  return wrong === undefined
    ? undefined
    : { at: wrong, reason: 'a close is recorded of a day without prints' };
}

/**
 * Repeats everything that was done to a series in its order: the runs, and each recalculation at the point that the
 * series had reached then.
 *
 * @param since ignores what was done up to an instant, except prints that a later recalculation covers
 * @returns numbers of equal prints, and differences; after a difference nothing later can be judged
 */
function* replay(
  series: ReplayedSeries,
  range: VerifiedRange,
  since: Instant,
): Generator<number | FoundDifference> {
  const { reader, kind, versions } = series;
  const log = loadCalculationLog(reader, series, versions);
  const Replay = kind === 'index' ? IndexReplay : RateReplay;
  const replayed = new Replay(series, rangeSince(range, log.runs, since), log.runs);
  const runs = runsWithin(log, replayed.range);
  const within = { from: Math.min(range.from, replayed.range.from), to: replayed.range.to };
  const waiting = recalculationsWithin(log, within, since);
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
      const window = instants.slice(from, Math.min(from + WINDOW, firstPlace(instants, stoodAt + 1)));
      yield replayed.calculate(version, window, run);
      from += window.length;
    }
  }
  yield* recalculateBefore(Number.POSITIVE_INFINITY);
  yield replayed.end();
  const reached = findCalculatedTo(reader, series);
  if (reached !== log.runs.findLast(({ instants }) => instants.length > 0)?.instants.at(-1))
    yield { at: reached ?? 0, reason: 'its state is not of the last instant that the runs calculated' };
}
