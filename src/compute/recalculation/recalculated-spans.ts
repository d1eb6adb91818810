import { indexFamilyOf } from '../../methodology/index-families/index-families.ts';
import { calculateRate, isHalfCent, restsOnFloor } from '../../methodology/rate-families/rate-families.ts';
import { printedId } from '../../model/constituent-id.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import { getOrInsert } from '../../model/memoized.ts';
import {
  type DivisorStep,
  type DivisorStepReason,
  hasLeft,
  type IndexPrint,
  type RatePrint,
} from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { InForce, RateInForce } from '../../store/definitions/definitions.ts';
import type { Reader } from '../../store/store.ts';
import { namedIds } from '../series/calculate-index.ts';
import { type CalculatedRun, groupByRun, ratesInForce, wasInForce } from '../series/calculated-instants.ts';
import { IndexCalculator, type IndexVersion, versionAt } from '../series/index-calculator.ts';
import { windows } from '../series/instants.ts';
import { MarketReads } from '../series/market-reads.ts';
import { loadIndex, loadRate } from './series-inputs.ts';

/** Instants of a series to recalculate, each with the definitions that were in force when a run first calculated it. */
interface Span {
  /** Ascending. */
  instants: readonly Instant[];
  runs: readonly CalculatedRun[];
  /** The instants that already have a print: they keep one, even if nothing has changed since the print before. */
  printed: ReadonlySet<Instant>;
  /** Ignores what became known later. */
  knownAt: Instant;
}

/** A span of an index, and the state that it continues from. */
export interface IndexSpan extends Span {
  /** The versions that took or will take effect, the oldest first. */
  versions: readonly IndexVersion[];
  /** Every rate definition ever adopted. */
  rates: readonly RateInForce[];
  /** The print in force before the span; absent when there is none. */
  before?: IndexPrint | undefined;
  /** The ledger up to that print. */
  steps: readonly DivisorStep[];
}

const CONSTITUTES: readonly DivisorStepReason[] = ['base', 'reconstitution'];

/**
 * Recalculates a span of an index from the print before it, always instant by instant, which also checks the prints
 * that were calculated as stretches.
 *
 * @param tell receives each calculation, in order
 * @returns the calculator as it is after the span
 */
export function calculateIndexSpan(
  reader: Reader,
  span: IndexSpan,
  tell: (at: Instant, version: IndexVersion, print: IndexPrint | undefined, steps: DivisorStep[]) => void,
): IndexCalculator {
  const { versions, knownAt } = span;
  const calculator = calculatorAfter(span);
  const ids = namedIds(versions, calculator.before);
  const reads = new MarketReads();
  for (const { key: rates, window } of windowsBy(span, ratesAmong(ids, span))) {
    const factsOf = loadIndex(reader, ids, window, { reads, rates, knownAt });
    for (const at of window) {
      const version = versionAt(versions, at);
      const facts = { ...factsOf(version.definition, at), keepsPrint: span.printed.has(at) };
      const { print, steps } = calculator.calculate(version, at, facts);
      tell(at, version, print, steps);
    }
  }
  return calculator;
}

/**
 * Finds the definitions of the rates among some constituents as in force at a run. Equal results are the same object.
 */
function ratesAmong(ids: readonly string[], { rates }: IndexSpan) {
  const among = rates.filter(({ kind, definition }) => ids.includes(printedId({ kind, ...definition })));
  const known = new Map<string, ReadonlyMap<string, RateDefinition>>();
  return ({ run }: CalculatedRun) => {
    const key = among.flatMap((each) => (wasInForce(each, run) ? each.definition_key : [])).join();
    return getOrInsert(known, key, () => ratesInForce(among, run));
  };
}

/**
 * The calculator of an index as it was after a print. A new one if there is no print, or no base in the ledger up to it:
 * then a recalculation has found that the index begins later, and the print is left from before that.
 */
export function calculatorAfter({
  before,
  steps,
  versions,
}: Pick<IndexSpan, 'before' | 'steps' | 'versions'>): IndexCalculator {
  const constituted = steps.findLast((step) => CONSTITUTES.includes(step.reason));
  if (!before || !constituted) return new IndexCalculator();
  const weighed = steps.findLast((step) => CONSTITUTES.includes(step.reason) || step.reason === 'rebalance');
  const version = versionAt(versions, constituted.at);
  const { level, divisor, cash } = before;
  const lines = before.lines.filter((line) => !hasLeft(line));
  return new IndexCalculator(
    {
      level,
      divisor,
      cash,
      lines,
      ...(weighed && indexFamilyOf(version.definition).schedule ? { constituted_at: weighed.at } : {}),
    },
    version,
  );
}

/** A span of a rate, and the state that it continues from. */
export interface RateSpan extends Span {
  /** The print in force before the span; absent when there is none. */
  before?: RatePrint | undefined;
  /** The print that an instant had before the recalculation; where that gives none, it stays in force. */
  stood(at: Instant): RatePrint | undefined;
}

/**
 * Recalculates a span of a rate from the print before it, always instant by instant, which also checks the prints that
 * were calculated as columns. As in a run, the first real price replaces the unbroken half-cent prints before it.
 *
 * @param tell receives each print, in order
 */
export function calculateRateSpan(
  reader: Reader,
  span: RateSpan,
  tell: (print: RatePrint, version: InForce) => void,
): void {
  const { printed, knownAt } = span;
  let last = span.before;
  let halfCents: { print: RatePrint; version: InForce }[] = [];
  const reads = new MarketReads();
  for (const { key: version, window } of windowsBy(span, (run) => run.version)) {
    const definition = version.definition as RateDefinition;
    const { views, history } = loadRate(reader, definition, window, { reads, knownAt });
    for (const at of window) {
      const earlier = printed.has(at) ? undefined : last;
      const calculated = calculateRate(definition, views.at(at), at, earlier, history);
      last = calculated ?? last;
      const stood = calculated || !printed.has(at) ? undefined : span.stood(at);
      const print = calculated ?? stood;
      if (!print) continue;
      if (stood ? isHalfCent(stood) : restsOnFloor(print)) {
        halfCents.push({ print, version });
        continue;
      }
      for (const replaced of halfCents) tell({ ...print, at: replaced.print.at }, version);
      halfCents = [];
      tell(print, version);
    }
  }
  for (const { print, version } of halfCents) tell(print, version);
}

/** Cuts the instants of a span into windows, each of runs with the same key; see {@link groupByRun}. */
function windowsBy<Key>({ runs, instants }: Span, keyOf: (run: CalculatedRun) => Key) {
  return groupByRun(runs, instants, keyOf).flatMap((group) =>
    windows(group.instants).map((window) => ({ key: group.key, window })),
  );
}
