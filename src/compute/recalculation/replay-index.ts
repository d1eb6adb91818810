import { isDeepStrictEqual } from 'node:util';
import { pricesOtherwise } from '../../methodology/index-families/index-families.ts';
import type { DivisorStep, IndexPrint } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { IndexInForce, InForce } from '../../store/definitions/definitions.ts';
import { listDivisorSteps, listKnownSteps } from '../../store/prints/divisor-steps.ts';
import {
  findIndexPrint,
  listPrintedInstants,
  selectFirstIndexPrints,
  selectIndexPrints,
} from '../../store/prints/index-prints.ts';
import { EVER } from '../../store/prints/known-prints.ts';
import type { Recalculation } from '../../store/restatements.ts';
import { namedIds } from '../series/calculate-index.ts';
import { type CalculatedRun, ratesInForce } from '../series/calculated-instants.ts';
import { IndexCalculator, type IndexVersion, versionAt } from '../series/index-calculator.ts';
import { MarketReads } from '../series/market-reads.ts';
import { calculateIndexSpan, calculatorAfter } from './recalculated-spans.ts';
import { loadIndex } from './series-inputs.ts';
import {
  compare,
  compareStanding,
  type FoundDifference,
  type ReplayedSeries,
  readOn,
  renewed,
  type SeriesReplay,
} from './series-replay.ts';
import { findStart, type VerifiedRange } from './verified-range.ts';

/** Replays an index and its ledger. */
export class IndexReplay implements SeriesReplay {
  readonly range: VerifiedRange;
  readonly #series: ReplayedSeries;
  readonly #runs: readonly CalculatedRun[];
  readonly #versions: readonly IndexInForce[];
  readonly #reads = new MarketReads();
  /** Reads the recorded prints of the runs on from where the comparison ended. */
  readonly #recordedTo: (until: Instant) => IndexPrint[];
  #calculator: IndexCalculator;
  /** The version that the standing names after what was calculated so far. */
  #version: IndexVersion | undefined;
  /** The calculated steps of the range. */
  #steps: DivisorStep[] = [];

  /** @param runs with the instants of the series that each calculated, in order */
  constructor(series: ReplayedSeries, { from, to }: VerifiedRange, runs: readonly CalculatedRun[]) {
    const { reader, ticker } = series;
    this.#series = series;
    this.#runs = runs;
    this.#versions = series.versions.filter((each) => each.kind === 'index');
    const start = findStart(runs, from, (at, known) => findIndexPrint(reader, ticker, at, known));
    this.range = { from: start ? start.before.at + 1 : 0, to };
    this.#recordedTo = readOn(this.range.from, (...span) => selectFirstIndexPrints(reader, ticker, ...span));
    this.#calculator = start
      ? calculatorAfter({
          before: start.before,
          steps: this.#stepsBefore(this.range.from, start.known),
          versions: this.#versionsKnownAt(start.known),
        })
      : new IndexCalculator();
  }

  /** The ledger before an instant: calculated within the range, and before it as known at another instant. */
  #stepsBefore(at: Instant, known: Instant): DivisorStep[] {
    const { reader, ticker } = this.#series;
    const { from } = this.range;
    const recorded = listKnownSteps(reader, ticker, Math.min(from, at) - 1, known);
    return [...recorded, ...this.#steps.filter((step) => step.at < at)];
  }

  calculate(_version: InForce, window: readonly Instant[], run: Instant): number | FoundDifference {
    const { reader } = this.#series;
    const versions = this.#versionsKnownAt(run);
    const rates = ratesInForce(this.#series.rates, run);
    // A constituent of an earlier version may still settle or leave under a later one.
    const ids = namedIds(versions);
    const factsOf = loadIndex(reader, ids, window, { reads: this.#reads, rates, knownAt: run });
    const prints: IndexPrint[] = [];
    for (const at of window) {
      const version = versionAt(versions, at);
      const { print, steps } = this.#calculator.calculate(version, at, factsOf(version.definition, at));
      this.#steps.push(...steps);
      if (print) prints.push(print);
    }
    const until = window.at(-1) as Instant;
    this.#version = this.#calculator.constituted ?? versionAt(versions, until);
    return compare(prints, this.#recordedTo(until));
  }

  recalculate(recalculation: Recalculation, instants: readonly Instant[]): number | FoundDifference {
    const { from_at, until_at, recorded_at } = recalculation;
    const { reader, ticker } = this.#series;
    const before = findIndexPrint(reader, ticker, from_at - 1, recorded_at);
    const prints: IndexPrint[] = [];
    const steps = this.#stepsBefore(from_at, recorded_at);
    this.#steps = this.#steps.filter((step) => step.at < from_at);
    const span = {
      versions: this.#versionsKnownAt(recorded_at),
      rates: this.#series.rates,
      runs: this.#runs,
      instants,
      printed: new Set(listPrintedInstants(reader, ticker, from_at, until_at, recorded_at)),
      knownAt: recorded_at,
      steps,
      before,
    };
    this.#calculator = calculateIndexSpan(reader, span, (at, _version, print, steps) => {
      if (at >= this.range.from) this.#steps.push(...steps);
      if (print) prints.push(print);
    });
    this.#version = this.#calculator.constituted ?? this.#version;
    const inForce = selectIndexPrints(reader, ticker, from_at, until_at, recorded_at);
    return compare(prints, renewed(inForce, prints, recalculation));
  }

  end(): number | FoundDifference {
    const { reader, ticker } = this.#series;
    const { from, to } = this.range;
    const left = compare([], this.#recordedTo(to));
    if (typeof left !== 'number') return left;
    const recorded = listDivisorSteps(reader, ticker, from).filter((step) => step.at <= to);
    const standing = { body: this.#calculator.before, mayName: (key: number) => this.#mayName(key) };
    return compareLedgers(this.#steps, recorded) ?? compareStanding(this.#series, standing, to) ?? left;
  }

  /**
   * Whether the recorded standing may name a version: the one that was calculated with. If that was adopted at the
   * instant of the last run, perhaps after it, also an earlier one that prices the same.
   */
  #mayName(key: number): boolean {
    const find = (key: number) => this.#versions.find((each) => each.definition_key === key);
    const calculated = this.#version && find(this.#version.definition_key);
    const named = find(key);
    if (!calculated || named === calculated) return true;
    const lastRun = this.#runs.at(-1)?.run ?? calculated.adopted_at;
    return (
      named !== undefined &&
      calculated.adopted_at >= lastRun &&
      !pricesOtherwise(named.definition, calculated.definition)
    );
  }

  #versionsKnownAt(run: Instant): IndexVersion[] {
    return this.#versions.filter((each) => each.adopted_at <= run && tookEffect(each));
  }
}

function compareLedgers(
  calculated: readonly DivisorStep[],
  recorded: readonly DivisorStep[],
): FoundDifference | undefined {
  for (let i = 0; i < Math.max(calculated.length, recorded.length); i++) {
    const [ours, theirs] = [calculated[i], recorded[i]];
    if (!isDeepStrictEqual(ours, theirs)) {
      const at = Math.min(ours?.at ?? EVER, theirs?.at ?? EVER);
      return { at, reason: 'the ledger differs from what the stored inputs give' };
    }
  }
  return undefined;
}

function tookEffect({ withdrawn_at, takes_effect_at }: InForce): boolean {
  return withdrawn_at === null || withdrawn_at >= takes_effect_at;
}
