import { calculateRate, isHalfCent, restsOnFloor } from '../../methodology/rate-families/rate-families.ts';
import type { RateDefinition } from '../../model/definitions/rate-definition.ts';
import type { RatePrint } from '../../model/print.ts';
import type { Instant } from '../../model/units.ts';
import type { InForce } from '../../store/definitions/definitions.ts';
import { EVER } from '../../store/prints/known-prints.ts';
import {
  asCalculated,
  findNextRatePrint,
  findRatePrint,
  selectFirstRatePrints,
  selectRatePrints,
  selectRateRevisions,
  selectRestatedRatePrints,
} from '../../store/prints/rate-prints.ts';
import type { Recalculation } from '../../store/restatements.ts';
import type { CalculatedRun } from '../series/calculated-instants.ts';
import { MarketReads } from '../series/market-reads.ts';
import { calculateRateSpan } from './recalculated-spans.ts';
import { loadRate } from './series-inputs.ts';
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

/**
 * Replays a rate. The range is extended so that half-cent prints at either end are in it together with what replaced
 * them.
 */
export class RateReplay implements SeriesReplay {
  readonly range: VerifiedRange;
  readonly #series: ReplayedSeries;
  readonly #runs: readonly CalculatedRun[];
  readonly #reads = new MarketReads();
  /** Reads the recorded prints of the runs on from where the comparison ended. */
  readonly #recordedTo: (until: Instant) => RatePrint[];
  #before: RatePrint | undefined;
  /** The version that calculated last. */
  #version: InForce | undefined;
  /** The instants of the half-cent prints at the current end of the series. */
  #halfCents: Instant[] = [];
  /** The prints that replaced half-cent prints, in the order of replacement. */
  #replaced: RatePrint[] = [];

  /** @param runs with the instants of the series that each calculated, in order */
  constructor(series: ReplayedSeries, { from, to }: VerifiedRange, runs: readonly CalculatedRun[]) {
    const { reader, ticker } = series;
    this.#series = series;
    this.#runs = runs;
    const start = findStart(
      runs,
      from,
      (at, known) => findRatePrint(reader, ticker, at, known),
      (at) => selectRateRevisions(reader, ticker, at).some(isHalfCent),
    );
    this.range = { from: start ? start.before.at + 1 : 0, to: this.#toRealPrice(to) };
    this.#recordedTo = readOn(this.range.from, (...span) => selectFirstRatePrints(reader, ticker, ...span));
    this.#before = start && asCalculated(start.before);
  }

  /**
   * Extends the end of a range to the first print, from the last one before that end on, that never was a half-cent
   * print.
   */
  #toRealPrice(to: Instant): Instant {
    const { reader, ticker } = this.#series;
    const last = findRatePrint(reader, ticker, to);
    if (!last) return to;
    let at: Instant | undefined = last.at;
    while (at !== undefined && selectRateRevisions(reader, ticker, at).some(isHalfCent))
      at = findNextRatePrint(reader, ticker, at);
    return at === undefined ? EVER : Math.max(to, at);
  }

  calculate(version: InForce, window: readonly Instant[], run: Instant): number | FoundDifference {
    const { reader } = this.#series;
    const definition = version.definition as RateDefinition;
    this.#version = version;
    const { views, history } = loadRate(reader, definition, window, { reads: this.#reads, knownAt: run });
    const prints: RatePrint[] = [];
    for (const at of window) {
      const print = calculateRate(definition, views.at(at), at, this.#before, history);
      if (!print) continue;
      prints.push(print);
      this.#continueFrom(print);
    }
    return compare(prints, this.#recordedTo(window.at(-1) as Instant));
  }

  #continueFrom(print: RatePrint): void {
    this.#before = print;
    if (restsOnFloor(print)) {
      this.#halfCents.push(print.at);
      return;
    }
    for (const at of this.#halfCents) this.#replaced.push({ ...print, at });
    this.#halfCents = [];
  }

  end(): number | FoundDifference {
    const { reader, ticker } = this.#series;
    const left = compare([], this.#recordedTo(this.range.to));
    if (typeof left !== 'number') return left;
    const inOrder = this.#replaced.toSorted((a, b) => a.at - b.at);
    const recorded = selectRestatedRatePrints(reader, ticker, 'half_cent_replaced', this.range);
    const replaced = compare(inOrder, recorded);
    if (typeof replaced !== 'number') return replaced;
    const mayName = (key: number) => (this.#version?.definition_key ?? key) === key;
    return compareStanding(this.#series, { body: this.#before, mayName }, this.range.to) ?? left + replaced;
  }

  recalculate(recalculation: Recalculation, instants: readonly Instant[]): number | FoundDifference {
    const { from_at, until_at, recorded_at, reason } = recalculation;
    const { reader, ticker } = this.#series;
    const before = findRatePrint(reader, ticker, from_at - 1, recorded_at);
    const stood = selectRatePrints(reader, ticker, from_at, until_at, recorded_at - 1);
    const restated = selectRestatedRatePrints(
      reader,
      ticker,
      reason,
      { from: from_at, to: until_at },
      recorded_at,
    );
    const prints: RatePrint[] = [];
    const stoodAt = new Map(stood.map((print) => [print.at, print]));
    const span = {
      instants,
      runs: this.#runs,
      printed: new Set(stoodAt.keys()),
      knownAt: recorded_at,
      before,
      stood: (at: Instant) => stoodAt.get(at),
    };
    calculateRateSpan(reader, span, (print) => prints.push(print));
    const inForce = withNewer(stood, prints);
    const last = inForce.at(-1) ?? before;
    this.#before = last && asCalculated(last);
    this.#halfCents = inForce
      .slice(inForce.findLastIndex((print) => !restsOnFloor(print)) + 1)
      .map((print) => print.at);
    return compare(prints, renewed(withNewer(stood, restated), prints, recalculation));
  }
}

/** Prints in the order of their instants, each replaced by a newer one of its instant if there is one. */
function withNewer<Print extends { at: Instant }>(
  prints: readonly Print[],
  newer: readonly Print[],
): Print[] {
  const byInstant = new Map([...prints, ...newer].map((print) => [print.at, print]));
  return [...byInstant.values()].sort((a, b) => a.at - b.at);
}
