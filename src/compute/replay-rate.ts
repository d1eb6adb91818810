import { calculateRate } from '../methodology/rate-families/rate-families.ts';
import type { RatePrint } from '../model/print.ts';
import type { RateDefinition } from '../model/rate-definition.ts';
import type { Instant } from '../model/units.ts';
import type { InForce } from '../store/definitions.ts';
import { EVER } from '../store/index-prints.ts';
import { findRatePrint, selectFirstRatePrints, selectRatePrints } from '../store/rate-prints.ts';
import type { Recalculation } from '../store/restatements.ts';
import { wasInForce } from './calculated-instants.ts';
import { loadRateHistory } from './load-rate-history.ts';
import { loadViews, readsOfViews } from './load-views.ts';
import { isSameRatePrint } from './recalculate.ts';
import { calculateRateSpan } from './recalculated-spans.ts';
import {
  compare,
  compareStanding,
  type FoundDifference,
  type ReplayedSeries,
  renewed,
  type SeriesReplay,
} from './series-replay.ts';

/** A rate that is calculated once more. */
export class RateReplay implements SeriesReplay {
  readonly #series: ReplayedSeries;
  readonly #chunks = readsOfViews();
  #before: RatePrint | undefined;
  #comparedTo = 0;

  constructor(series: ReplayedSeries) {
    this.#series = series;
  }

  calculate(version: InForce, window: readonly Instant[], run: Instant): number | FoundDifference {
    const { reader } = this.#series;
    const definition = version.definition as RateDefinition;
    const markets = new Set(definition.sources.map((each) => each.market_id));
    const views = loadViews(reader, markets, window, this.#chunks, run);
    const history = loadRateHistory(reader, definition, window, run);
    const prints = window.flatMap((at) => {
      const print = calculateRate(definition, views.at(at), at, this.#before, history);
      this.#before = print ?? this.#before;
      return print ?? [];
    });
    return compare(prints, this.#recordedTo(window.at(-1) as Instant));
  }

  /** The prints of the runs from where the comparison ended. */
  #recordedTo(until: Instant): RatePrint[] {
    const { reader, ticker } = this.#series;
    const recorded = selectFirstRatePrints(reader, ticker, this.#comparedTo + 1, until);
    this.#comparedTo = until;
    return recorded;
  }

  end(): FoundDifference | undefined {
    const { reader, ticker } = this.#series;
    const left = compare([], this.#recordedTo(EVER));
    return typeof left === 'number' ? compareStanding(reader, 'rate', ticker, this.#before) : left;
  }

  recalculate(recalculation: Recalculation, instants: readonly Instant[]): number | FoundDifference {
    const { from_at, until_at, recorded_at } = recalculation;
    const { reader, ticker, versions } = this.#series;
    const version = versions.find((each) => wasInForce(each, recorded_at));
    if (!version) return 0;
    const before = findRatePrint(reader, ticker, from_at - 1, recorded_at);
    const standing = selectRatePrints(reader, ticker, from_at, until_at, recorded_at - 1);
    const recorded = selectRatePrints(reader, ticker, from_at, until_at, recorded_at);
    const byInstant = new Map(recorded.map((print) => [print.at, print]));
    const prints: RatePrint[] = [];
    const span = {
      definition: version.definition as RateDefinition,
      instants,
      printed: new Set(standing.map((print) => print.at)),
      knownAt: recorded_at,
      ...(before ? { before } : {}),
    };
    calculateRateSpan(reader, span, (print) => {
      // A half-cent print replaces no real price: there the one that stands counts.
      const stands = byInstant.get(print.at);
      prints.push(stands && isSameRatePrint(stands, print) ? stands : print);
    });
    this.#before = findRatePrint(reader, ticker, until_at, recorded_at);
    return compare(prints, renewed(recorded, prints, recalculation));
  }
}
