/**
 * Compute turns what the store knows into numbers: the marks of the catalog, the prints of indices and rates at every
 * instant that is due, and daily closes. It promises that a run continues where the last one ended, that each window of
 * instants is recorded as a whole or not at all for a group of series, and that the failure of one definition does not
 * stop the others. It knows nothing of venues, nor of how numbers are displayed.
 */
import { dailyCloses } from '../methodology/closes.ts';
import { ColumnRoom } from '../model/column-room.ts';
import type { Progress } from '../model/effects.ts';
import { firstPlace } from '../model/first-place.ts';
import { memoized } from '../model/memoized.ts';
import type { Instant } from '../model/units.ts';
import { findLastRun, insertCalculation, refuseEarlier } from '../store/prints/calculations.ts';
import { EVER } from '../store/prints/known-prints.ts';
import { setClose } from '../store/prints/standings.ts';
import { findLastCalculation } from '../store/restatements.ts';
import type { Store, Writer } from '../store/store.ts';
import { markCatalog } from './mark-catalog.ts';
import { findLate, type LateWork, restate } from './recalculation/restate.ts';
import { noteUnfinished } from './series/calculated-instants.ts';
import { type DueSeries, listDue } from './series/due-series.ts';
import { windows } from './series/instants.ts';
import { loadViews } from './series/load-views.ts';
import { MarketReads } from './series/market-reads.ts';
import { seriesGroups } from './series/series-groups.ts';
import type { MarketInputs } from './series/window-inputs.ts';
import { type SeriesFailure, seriesFailure } from './series-failure.ts';
import { withSmallHeap } from './small-heap.ts';

export interface ComputeReport {
  markets_marked: number;
  index_prints: number;
  rate_prints: number;
  /** Prints that late inputs changed. */
  restated: number;
  failures: SeriesFailure[];
}

/** Page cache of the store. Small, because a run only moves forward in time and does not read the past again. */
export const CACHE_MIB = 16;

/**
 * Calculates everything that is due up to `now`.
 *
 * @throws ForemarkError invalid_configuration when an earlier run has calculated up to a later instant, store_unusable
 */
export function compute(store: Store, now: Instant, progress: Progress): ComputeReport {
  return withSmallHeap(() => calculateDue(store, now, progress));
}

function calculateDue(store: Store, now: Instant, progress: Progress): ComputeReport {
  store.read((reader) => refuseEarlier(reader, now));
  store.cache(CACHE_MIB);
  const report: ComputeReport = {
    markets_marked: 0,
    index_prints: 0,
    rate_prints: 0,
    restated: 0,
    failures: [],
  };
  // At the instant of an earlier run or backfill, a run must not use what came in after that.
  const knownAt = (store.read(findLastCalculation) ?? 0) >= now ? now : EVER;
  report.markets_marked = store.write((writer) => markCatalog(writer, now, findLastRun(writer)));
  const work = store.write((writer) => findLate(writer, now));
  // What came in after a calculation of this instant is not for the rest of that, which is restated like what is done.
  const isForDue = work.recordedAt === now;
  if (isForDue) restateLate(store, work, report);
  const due = store.read((reader) => listDue(reader, now));
  store.write((writer) => {
    noteUnfinished(writer, now);
    insertCalculation(writer, now);
  });
  const groups = seriesGroups(due).map((series) => ({ series, instants: allInstants(series) }));
  const total = groups.reduce((sum, { instants }) => sum + instants.length, 0);
  const room = new ColumnRoom();
  let done = 0;
  for (const group of groups)
    calculateWindows(store, group, { knownAt, room }, report, (instants) => {
      done += instants;
      progress('compute', done, total);
    });
  if (!isForDue) restateLate(store, work, report);
  return report;
}

interface DueGroup {
  series: readonly DueSeries[];
  /** All at which any of the series is due, ascending. */
  instants: readonly Instant[];
}

/**
 * Calculates a group of what is due, window by window. A series that fails in one window is left out of those after it.
 *
 * @param tell is called after each window with the number of its instants
 */
function calculateWindows(
  store: Store,
  { series: due, instants: all }: DueGroup,
  { knownAt, room }: { knownAt: Instant; room: ColumnRoom },
  report: ComputeReport,
  tell: (instants: number) => void,
): void {
  const named = new Set(due.flatMap((each) => each.markets));
  const failed = new Set<DueSeries>();
  const reads = new MarketReads();
  for (const window of windows(all, named.size)) {
    const instantsOf = within(window[0] as Instant, window.at(-1) as Instant);
    const inWindow = due
      .filter((each) => !failed.has(each))
      .map((each) => ({ each, instants: instantsOf(each.instants) }))
      .filter(({ instants }) => instants.length > 0);
    const markets = new Set(inWindow.flatMap(({ each }) => each.markets));
    room.clear();
    const views = store.read((reader) => loadViews(reader, markets, window, reads, knownAt, room));
    store.write((writer) => {
      for (const { each, instants } of inWindow) {
        try {
          const printed = writer.part(() => calculate(writer, each, instants, { views, reads, knownAt }));
          report[each.kind === 'index' ? 'index_prints' : 'rate_prints'] += printed;
        } catch (thrown) {
          report.failures.push(seriesFailure(each.ticker, thrown));
          failed.add(each);
        }
      }
    });
    tell(window.length);
  }
}

/** Cuts lists of ascending instants to a span, each list once. */
function within(first: Instant, last: Instant): (instants: readonly Instant[]) => readonly Instant[] {
  return memoized((instants) => instants.slice(firstPlace(instants, first), firstPlace(instants, last + 1)));
}

/** The instants at which any of some series is due, ascending. */
function allInstants(due: readonly DueSeries[]): readonly Instant[] {
  const [list, ...others] = new Set(due.map((each) => each.instants));
  if (others.length === 0) return list ?? [];
  const all = new Set(list);
  for (const instants of others) for (const at of instants) all.add(at);
  return [...all].sort((a, b) => a - b);
}

/** Calculates and records one series in a window. @returns the number of its prints */
function calculate(
  writer: Writer,
  due: DueSeries,
  instants: readonly Instant[],
  inputs: MarketInputs,
): number {
  const printed = due.calculate(writer, instants, inputs);
  for (const close of dailyCloses([...printed].sort((a, b) => a - b))) setClose(writer, due, close);
  return printed.length;
}

/** Restates the prints affected by late or changed inputs. */
function restateLate(store: Store, { late, recordedAt }: LateWork, report: ComputeReport): void {
  for (const wanted of late) {
    try {
      report.restated += store.write((writer) => restate(writer, wanted, recordedAt));
    } catch (thrown) {
      report.failures.push(seriesFailure(wanted.ticker, thrown));
    }
  }
}
