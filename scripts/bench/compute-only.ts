/** Calculation without recording; and the same rates calculated with an object for each source, for comparison. */
import { median } from 'simple-statistics';
import { calculateInstants } from '../../src/compute/series/calculate-instants.ts';
import { calculateRateInstants } from '../../src/compute/series/calculate-rate-instants.ts';
import { IndexCalculator } from '../../src/compute/series/index-calculator.ts';
import { windows } from '../../src/compute/series/instants.ts';
import { constituentInputs, loadIndexInputs } from '../../src/compute/series/load-index-inputs.ts';
import { loadViews, type ViewsOfWindow } from '../../src/compute/series/load-views.ts';
import { MarketReads } from '../../src/compute/series/market-reads.ts';
import type { WindowInputs } from '../../src/compute/series/window-inputs.ts';
import type { FindView } from '../../src/methodology/contract-views.ts';
import { basketValues } from '../../src/methodology/index-families/basket-values.ts';
import { calculateRate } from '../../src/methodology/rate-families/rate-families.ts';
import { NO_HISTORY } from '../../src/methodology/rate-families/rate-history.ts';
import { ColumnRoom } from '../../src/model/column-room.ts';
import type { IndexDefinition } from '../../src/model/definitions/index-definition.ts';
import type { RateDefinition } from '../../src/model/definitions/rate-definition.ts';
import type { IndexPrint, LineColumns, RatePrint } from '../../src/model/print.ts';
import type { Instant } from '../../src/model/units.ts';
import { EVER } from '../../src/store/prints/known-prints.ts';
import type { Reader } from '../../src/store/store.ts';
import { type BenchWorld, hoursOf } from './compute-world.ts';
import { timed } from './processor-time.ts';

/** Seconds of processor time that each part took. */
interface Parts {
  load: number;
  indices: number;
  rates: number;
}

/**
 * Calculates a basket at the instants of a window as a run does, and passes on each level with a function that makes
 * its lines.
 */
export function calculateLevels(
  reader: Reader,
  definition: IndexDefinition,
  calculator: IndexCalculator,
  window: readonly Instant[],
  inputs: Pick<WindowInputs, 'views' | 'reads'>,
  tell: (level: number, linesOf?: () => LineColumns) => void,
): void {
  const ids = definition.constituents.map((each) => each.market_id);
  const factsOf = loadIndexInputs(reader, ids, window, { ...inputs, rates: new Map(), knownAt: EVER });
  const versions = [{ definition_key: 1, takes_effect_at: 0, definition }];
  calculateInstants(calculator, versions, window, constituentInputs(inputs.views, factsOf), {
    step: () => {},
    print: (_version, { level }) => tell(level),
    columns: (_version, { level }, _held, linesOf) => tell(level, linesOf),
  });
}

const keepsNone = { print: () => {}, columns: () => {}, firstPrice: () => {} };

/** Calculates every print of a world and keeps none. */
export function calculateOnly(reader: Reader, { indices, rates }: BenchWorld, hours: number): Parts {
  const parts: Parts = { load: 0, indices: 0, rates: 0 };
  const calculators = indices.map(() => new IndexCalculator());
  const before: (RatePrint | undefined)[] = rates.map(() => undefined);
  const markets = new Set([
    ...indices.flatMap(({ constituents }) => constituents.map((each) => each.market_id)),
    ...rates.flatMap(({ sources }) => sources.map((each) => each.market_id)),
  ]);
  const time = <Result>(part: keyof Parts, work: () => Result): Result => {
    const { took, result } = timed(work);
    parts[part] += took;
    return result;
  };
  const reads = new MarketReads();
  const room = new ColumnRoom();
  for (const window of windows(hoursOf(hours))) {
    room.clear();
    const views = time('load', () => loadViews(reader, markets, window, reads, EVER, room));
    time('indices', () => {
      for (const [i, definition] of indices.entries())
        calculateLevels(
          reader,
          definition,
          calculators[i] as IndexCalculator,
          window,
          { views, reads },
          (_level, linesOf) => linesOf?.(),
        );
    });
    time('rates', () => calculateRates(rates, window, views, before));
  }
  return parts;
}

/** Calculates rates from instant to instant, as a run does. `before` has the last print of each, and is updated. */
function calculateRates(
  rates: readonly RateDefinition[],
  window: readonly Instant[],
  views: ViewsOfWindow,
  before: (RatePrint | undefined)[],
): void {
  for (const [i, definition] of rates.entries())
    before[i] = calculateRateInstants(
      definition,
      window,
      { views, history: NO_HISTORY },
      before[i],
      keepsNone,
    );
}

const ROUNDS = 5;

/** Seconds to calculate the rates of a world, the median of some rounds: as a run does it, and in two other ways. */
export interface RateWays {
  ours: number;
  /** The same prints, each with an object for each source. */
  objects: number;
  /** The mean of the mids alone, with an object for each source: nothing is checked, weighed or remembered. */
  bare: number;
}

/** Calculates the rates of a world in three ways in turn, window by window. */
export function compareRates(reader: Reader, { rates }: BenchWorld, hours: number): RateWays {
  const markets = new Set(rates.flatMap(({ sources }) => sources.map((each) => each.market_id)));
  const rounds = Array.from({ length: ROUNDS }, (): RateWays => {
    const took = { ours: 0, objects: 0, bare: 0 };
    const before = { ours: rates.map(() => undefined), objects: rates.map(() => undefined) };
    const reads = new MarketReads();
    for (const window of windows(hoursOf(hours))) {
      const views = loadViews(reader, markets, window, reads, EVER);
      took.ours += timed(() => calculateRates(rates, window, views, before.ours)).took;
      took.objects += timed(() => calculateAsObjects(rates, window, views, before.objects)).took;
      took.bare += timed(() => {
        for (const definition of rates) for (const at of window) bareRate(definition, views.at(at));
      }).took;
    }
    return took;
  });
  const typical = (way: keyof RateWays) => median(rounds.map((took) => took[way]));
  return { ours: typical('ours'), objects: typical('objects'), bare: typical('bare') };
}

function calculateAsObjects(
  rates: readonly RateDefinition[],
  window: readonly Instant[],
  views: ViewsOfWindow,
  before: (RatePrint | undefined)[],
): void {
  for (const [i, definition] of rates.entries())
    for (const at of window)
      before[i] = calculateRate(definition, views.at(at), at, before[i], NO_HISTORY) ?? before[i];
}

/**
 * Calculates only the sums behind the levels, like the loop in C: quantity times price over whole rows in memory.
 *
 * @returns the best time of five in seconds, and the sum of all levels
 */
export function sumsAlone(
  { members, prices }: BenchWorld,
  bases: readonly IndexPrint[],
  hours: number,
): { seconds: number; total: number } {
  const baskets = members.map((names, i) => ({
    quantities: bases[i]?.lines.map((line) => line.quantity) ?? [],
    rows: names.map((place) => (prices[place] as Float64Array).subarray(0, hours)),
  }));
  const times: number[] = [];
  let total = 0;
  for (let run = 0; run < 5; run++) {
    const { took, result } = timed(() => {
      let sum = 0;
      for (const { quantities, rows } of baskets) {
        const values = basketValues(quantities, rows, hours);
        for (let i = 0; i < hours; i++) sum += values[i] as number;
      }
      return sum;
    });
    times.push(took);
    total = result;
  }
  return { seconds: Math.min(...times), total };
}

function bareRate({ sources }: RateDefinition, view: FindView): number {
  const marks = sources.map(({ market_id }) => {
    const { book, last } = view(market_id) ?? {};
    const price = book?.bid && book.ask ? (book.bid + book.ask) / 2 : (last?.price ?? 0.5);
    return { price, weight: 1 };
  });
  const whole = marks.reduce((sum, { weight }) => sum + weight, 0);
  return marks.reduce((sum, { price, weight }) => sum + (price * weight) / whole, 0);
}
