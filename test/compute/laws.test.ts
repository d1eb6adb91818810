import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';
import { compactTail } from '../../src/store/prices/price-compaction.ts';
import { listRatePrints } from '../../src/store/prints/rate-prints.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { rounds } from '../helpers/rounds.ts';
import { hour } from '../methodology/contracts.ts';
import { EVERY_FAMILY, sixMarkets } from './every-family.ts';
import {
  adopt,
  HOURS,
  instantOf,
  keep,
  publishedOf,
  recordedWorld,
  run,
  type Seen,
} from './recorded-world.ts';

const END = hour(HOURS);
const RUNS = { numRuns: rounds(16) };
/** Of all families at once. */
const WIDE_RUNS = { numRuns: rounds(6) };

function inOneRun(seen: readonly Seen[], definitions?: typeof EVERY_FAMILY): Store {
  const store = openStore(':memory:');
  adopt(store, definitions);
  keep(store, seen, END);
  run(store, END);
  return store;
}

describe('the same observations give the same prints', () => {
  it('in any order, with repeats, compacted or not', () => {
    fc.assert(
      fc.property(
        sixMarkets.chain((seen) =>
          fc.tuple(
            fc.constant(seen),
            fc.shuffledSubarray(seen, { minLength: seen.length }),
            fc.subarray(seen),
          ),
        ),
        fc.integer({ min: 0, max: 100 }),
        ([seen, shuffled, repeated], cut) => {
          const expected = publishedOf(inOneRun(seen, EVERY_FAMILY), EVERY_FAMILY);
          const store = openStore(':memory:');
          adopt(store, EVERY_FAMILY);
          // A venue's statuses come in time order; its prices in whatever order pages bring them.
          keep(
            store,
            seen.filter((each) => each.kind === 'status'),
            END,
          );
          const prices = [...shuffled, ...repeated].filter((each) => each.kind === 'price');
          const place = Math.floor((prices.length * cut) / 100);
          keep(store, prices.slice(0, place), END);
          store.write((writer) => compactTail(writer, { from: 1, marketsAtOnce: 1 }));
          keep(store, prices.slice(place), END + 1);
          run(store, END);
          expect(publishedOf(store, EVERY_FAMILY)).toEqual(expected);
        },
      ),
      WIDE_RUNS,
    );
  });

  it('whether computed in one run or in many as the observations arrive', () => {
    fc.assert(
      fc.property(
        sixMarkets,
        fc.array(fc.integer({ min: 0, max: HOURS - 1 }), { maxLength: 6 }),
        fc.boolean(),
        (seen, hours, compacts) => {
          const expected = publishedOf(inOneRun(seen, EVERY_FAMILY), EVERY_FAMILY);
          const store = openStore(':memory:');
          adopt(store, EVERY_FAMILY);
          let from = Number.NEGATIVE_INFINITY;
          for (const now of [...new Set(hours)]
            .sort((a, b) => a - b)
            .map(hour)
            .concat(END)) {
            keep(
              store,
              seen.filter((each) => instantOf(each) > from && instantOf(each) <= now),
              now,
            );
            if (compacts) store.write((writer) => compactTail(writer, { from: 1, marketsAtOnce: 1 }));
            run(store, now);
            from = now;
          }
          expect(publishedOf(store, EVERY_FAMILY)).toEqual(expected);
        },
      ),
      WIDE_RUNS,
    );
  });

  it('and a run between two whole steps adds its own print and leaves earlier ones alone', () => {
    fc.assert(
      fc.property(recordedWorld, fc.integer({ min: 1, max: HOURS * 60 - 1 }), (seen, minute) => {
        const now = hour(0) + minute * MINUTE_MS;
        const until = (store: Store) =>
          publishedOf(store).prints.map((prints) => prints.filter((print) => print.at <= now));
        const store = openStore(':memory:');
        adopt(store);
        keep(store, seen, END);
        run(store, now);
        const before = until(store);
        run(store, END);
        expect(until(store)).toEqual(before);
        const whole = publishedOf(inOneRun(seen)).prints;
        const steps = before.map((prints) =>
          prints.filter((print) => print.at % HOUR_MS === 0 && print.at < now),
        );
        expect(steps).toEqual(whole.map((prints) => prints.filter((print) => print.at < now)));
      }),
      RUNS,
    );
  });
});

describe('a backfill', () => {
  // An instant that has a print keeps one, even without newer data; time alone moves a blend and an hourly median.
  const timeless = EVERY_FAMILY.rates.filter(
    ({ methodology }) => methodology !== 'rolling' && methodology !== 'robust_median',
  );

  it('gives the rates of a service that had known everything, half-cent prints included', () => {
    const delayed = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 20, size: 'max' });
    fc.assert(
      fc.property(sixMarkets, delayed, fc.constantFrom(1, 3, 7), (seen, delays, every) => {
        const arriving = seen.map((each, i) => {
          const late = each.kind === 'price' ? (delays[i % delays.length] as number) : 0;
          return [instantOf(each) + late * HOUR_MS, each] as const;
        });
        const store = openStore(':memory:');
        adopt(store, EVERY_FAMILY);
        for (let from = Number.NEGATIVE_INFINITY, at = 0; at <= HOURS; from = hour(at), at += every) {
          const arrived = arriving.filter(([known]) => from < known && known <= hour(at));
          keep(
            store,
            arrived.map(([, each]) => each),
            hour(at),
          );
          run(store, hour(at));
        }
        keep(
          store,
          arriving.flatMap(([known, each]) => (known > hour(HOURS - (HOURS % every)) ? [each] : [])),
          END,
        );
        run(store, END);
        backfill(store, { tickers: [], from: 0, to: END }, END, () => {});
        const informed = inOneRun(seen, EVERY_FAMILY);
        for (const { ticker } of timeless) {
          const printsOf = (which: Store) =>
            which.read((reader) =>
              listRatePrints(reader, ticker, 0, END).map(({ at, price }) => [at, price]),
            );
          const given = printsOf(informed);
          const instants = new Set(given.map(([at]) => at));
          expect(printsOf(store).filter(([at]) => instants.has(at))).toEqual(given);
        }
      }),
      { numRuns: rounds(6), endOnFailure: true },
    );
  });
});

describe('every published print', () => {
  it('[2.4.1/2] has included weights that sum to 1, and steps that move no basket; each step has its print', () => {
    fc.assert(
      fc.property(recordedWorld, (seen) => {
        const { prints, steps } = publishedOf(inOneRun(seen));
        for (const [i, made] of steps.entries()) {
          const printed = new Set(prints[i]?.map((print) => print.at));
          expect(made.filter((step) => !printed.has(step.at))).toEqual([]);
        }
        for (const print of prints.flat()) {
          const included = print.lines.filter((line) => line.state === 'included');
          const total = included.reduce((sum, line) => sum + line.weight, 0);
          if (included.length > 0) expect(Math.abs(total - 1)).toBeLessThanOrEqual(1e-12);
        }
        for (const step of steps[0] ?? [])
          expect(Math.abs(step.level_after - step.level_before)).toBeLessThanOrEqual(
            1e-9 * step.level_before,
          );
      }),
      RUNS,
    );
  });
});
