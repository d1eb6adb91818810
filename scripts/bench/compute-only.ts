/** Calculating without recording, and rates as the plainest program would work them out. */
import { IndexRun } from '../../src/compute/index-run.ts';
import { windows } from '../../src/compute/instants.ts';
import { loadIndexInputs } from '../../src/compute/load-index-inputs.ts';
import { loadViews, readsOfViews } from '../../src/compute/load-views.ts';
import type { FindView } from '../../src/methodology/contract-views.ts';
import { calculateRate } from '../../src/methodology/rate-families/rate-families.ts';
import type { RatePrint } from '../../src/model/print.ts';
import type { RateDefinition } from '../../src/model/rate-definition.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import type { Reader } from '../../src/store/store.ts';
import { type BenchWorld, FIRST } from './compute-world.ts';

/** Seconds that each part took. */
interface Parts {
  load: number;
  indices: number;
  rates: number;
  bare: number;
}

/** Calculates every print of a world and keeps none. */
export function calculateOnly(reader: Reader, { indices, rates }: BenchWorld, hours: number): Parts {
  const parts: Parts = { load: 0, indices: 0, rates: 0, bare: 0 };
  const runs = indices.map(() => new IndexRun());
  const before: (RatePrint | undefined)[] = rates.map(() => undefined);
  const markets = new Set([
    ...indices.flatMap(({ constituents }) => constituents.map((each) => each.market_id)),
    ...rates.flatMap(({ sources }) => sources.map((each) => each.market_id)),
  ]);
  const chunks = readsOfViews();
  const time = (part: keyof Parts, work: () => void) => {
    const started = performance.now();
    work();
    parts[part] += (performance.now() - started) / 1000;
  };
  for (const window of windows(Array.from({ length: hours }, (_none, hour) => FIRST + hour * HOUR_MS))) {
    const started = performance.now();
    const views = loadViews(reader, markets, window, chunks);
    parts.load += (performance.now() - started) / 1000;
    time('indices', () => {
      for (const [i, definition] of indices.entries()) {
        const ids = definition.constituents.map((each) => each.market_id);
        const factsOf = loadIndexInputs(reader, ids, window, { views, rates: new Map() });
        const version = { definition_key: i, takes_effect_at: 0, definition };
        for (const at of window) runs[i]?.calculate(version, at, factsOf(definition, at));
      }
    });
    time('rates', () => {
      for (const [i, definition] of rates.entries())
        for (const at of window)
          before[i] = calculateRate(definition, views.at(at), at, before[i]) ?? before[i];
    });
    time('bare', () => {
      for (const definition of rates) for (const at of window) bareRate(definition, views.at(at));
    });
  }
  return parts;
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
