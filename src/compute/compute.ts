/**
 * Compute turns what the store knows into numbers: the marks of the catalog, the prints of indices and rates at every
 * instant that is due, and daily closes. It promises that a run continues where the last one ended, that each window of
 * instants is recorded as a whole or not at all for a group of series, and that the failure of one definition does not
 * stop the others. It knows nothing of venues, nor of how numbers are displayed.
 */
import { dailyCloses } from '../methodology/closes.ts';
import { ColumnRoom } from '../model/column-room.ts';
import type { SeriesId } from '../model/constituent-id.ts';
import { type Definition, firstInstant, membersOf } from '../model/definitions/definition.ts';
import type { IndexDefinition } from '../model/definitions/index-definition.ts';
import type { RateDefinition } from '../model/definitions/rate-definition.ts';
import type { Progress } from '../model/effects.ts';
import type { Instant } from '../model/units.ts';
import { type Adopted, byTicker, listRateDefinitions } from '../store/definitions/definitions.ts';
import { findLastRun, insertCalculation, refuseEarlier } from '../store/prints/calculations.ts';
import { findCalculatedTo, setClose } from '../store/prints/standings.ts';
import { findLastCalculation } from '../store/restatements.ts';
import type { Reader, Store, Writer } from '../store/store.ts';
import { markCatalog } from './mark-catalog.ts';
import { findLate, restate, restatingInstant } from './recalculation/restate.ts';
import { withSmallSemiSpace } from './semi-space.ts';
import { calculateIndexAt, namedMembers } from './series/calculate-index.ts';
import { calculateRateAt } from './series/calculate-rate.ts';
import { dueInstants, noteUnfinished } from './series/calculated-instants.ts';
import { indicesBehind, listInCalculationOrder } from './series/calculation-order.ts';
import { windows } from './series/instants.ts';
import { loadViews } from './series/load-views.ts';
import { MarketReads } from './series/market-reads.ts';
import { marketsBehind } from './series/markets-behind.ts';
import { type GroupedSeries, seriesGroups } from './series/series-groups.ts';
import type { MarketInputs } from './series/window-inputs.ts';
import { type SeriesFailure, seriesFailure } from './series-failure.ts';

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

/** A series with the markets to load for it and the instants that are due, ascending. */
interface Due extends GroupedSeries {
  calculate(writer: Writer, instants: readonly Instant[], inputs: MarketInputs): Instant[];
}

/**
 * Calculates everything that is due up to `now`.
 *
 * @throws ForemarkError invalid_configuration when an earlier run has calculated up to a later instant, store_unusable
 */
export function compute(store: Store, now: Instant, progress: Progress): ComputeReport {
  return withSmallSemiSpace(() => calculateDue(store, now, progress));
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
  const knownAt = (store.read(findLastCalculation) ?? 0) >= now ? now : undefined;
  report.markets_marked = store.write((writer) => markCatalog(writer, now, findLastRun(writer)));
  restateLate(store, now, report);
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
  return report;
}

interface DueGroup {
  series: readonly Due[];
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
  { knownAt, room }: { knownAt: Instant | undefined; room: ColumnRoom },
  report: ComputeReport,
  tell: (instants: number) => void,
): void {
  const named = new Set(due.flatMap((each) => each.markets));
  const failed = new Set<Due>();
  const reads = new MarketReads();
  for (const window of windows(all, named.size)) {
    const instantsOf = within(window[0] as Instant, window.at(-1) as Instant);
    const inWindow = due
      .filter((each) => !failed.has(each))
      .map((each) => ({ each, instants: instantsOf(each.instants) }))
      .filter(({ instants }) => instants.length > 0);
    const markets = new Set(inWindow.flatMap(({ each }) => each.markets));
    room.clear();
    const views = store.read((reader) => loadViews(reader, markets, window, reads, knownAt, room.column));
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
  const cuts = new Map<readonly Instant[], readonly Instant[]>();
  return (instants) => {
    const cut = cuts.get(instants) ?? instants.filter((at) => first <= at && at <= last);
    cuts.set(instants, cut);
    return cut;
  };
}

/** The instants at which any of some series is due, ascending. */
function allInstants(due: readonly Due[]): readonly Instant[] {
  const [list, ...others] = new Set(due.map((each) => each.instants));
  if (others.length === 0) return list ?? [];
  const all = new Set(list);
  for (const instants of others) for (const at of instants) all.add(at);
  return [...all].sort((a, b) => a - b);
}

/** Calculates and records one series in a window. @returns the number of its prints */
function calculate(writer: Writer, due: Due, instants: readonly Instant[], inputs: MarketInputs): number {
  const printed = due.calculate(writer, instants, inputs);
  for (const close of dailyCloses([...printed].sort((a, b) => a - b))) setClose(writer, due, close);
  return printed.length;
}

/** Restates the prints affected by late or changed inputs, before anything new is calculated. */
function restateLate(store: Store, now: Instant, report: ComputeReport): void {
  const { late, recordedAt } = store.write((writer) => {
    const late = findLate(writer, now);
    return { late, recordedAt: restatingInstant(writer, late, now) };
  });
  for (const wanted of late) {
    try {
      report.restated += store.write((writer) => restate(writer, wanted, recordedAt));
    } catch (thrown) {
      report.failures.push(seriesFailure(wanted.ticker, thrown));
    }
  }
}

/** What is due, in the order of calculation: rates first, then each index after the indices that it contains. */
function listDue(reader: Reader, now: Instant): Due[] {
  const rates = listRateDefinitions(reader);
  const defined = byTicker(rates);
  const instantsOf = sharedInstants(reader, now);
  return [
    ...rates.map((each) => dueRate(each, instantsOf, now)),
    ...listInCalculationOrder(reader).map(({ definition }) =>
      dueIndex(reader, definition, defined, instantsOf, now),
    ),
  ];
}

type DueInstants = (series: SeriesId, definition: Definition) => readonly Instant[];

/** The instants due, in one list for all series that have the same: for a long history, each takes much memory. */
function sharedInstants(reader: Reader, now: Instant): DueInstants {
  const lists = new Map<string, readonly Instant[]>();
  return (series, definition) => {
    const after = findCalculatedTo(reader, series);
    const grid = `${definition.interval_minutes} ${firstInstant(definition)} ${after}`;
    const list = lists.get(grid) ?? dueInstants(definition, after, now);
    lists.set(grid, list);
    return list;
  };
}

function dueIndex(
  reader: Reader,
  definition: IndexDefinition,
  rates: ReadonlyMap<string, RateDefinition>,
  instantsOf: DueInstants,
  now: Instant,
): Due {
  const { ticker } = definition;
  const series = { kind: 'index', ticker } as const;
  // Constituents that a new definition drops are marked once more, at the reconstitution.
  const members = namedMembers(reader, ticker);
  return {
    ...series,
    markets: members.flatMap((id) => marketsBehind(id, rates)),
    uses: indicesBehind(definition, members),
    instants: instantsOf(series, definition),
    calculate: (writer, instants, inputs) =>
      calculateIndexAt(writer, ticker, instants, { ...inputs, rates }, now),
  };
}

function dueRate(adopted: Adopted<RateDefinition>, instantsOf: DueInstants, now: Instant): Due {
  const { definition } = adopted;
  const series = { kind: 'rate', ticker: definition.ticker } as const;
  return {
    ...series,
    markets: membersOf(definition),
    uses: [],
    instants: instantsOf(series, definition),
    calculate: (writer, instants, inputs) => calculateRateAt(writer, adopted, instants, inputs, now),
  };
}
