import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { type VerifiedRange, WHOLE } from '../../src/compute/recalculation/verified-range.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { planChange } from '../../src/methodology/index-changes.ts';
import { type IndexDefinition, indexDefinition } from '../../src/model/definitions/index-definition.ts';
import type { RateDefinition } from '../../src/model/definitions/rate-definition.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { adoptDefinitions } from '../../src/store/definitions/adopt-definitions.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { announceChange } from '../helpers/hand-store.ts';
import { rounds } from '../helpers/rounds.ts';
import { define, hour, idOf, START } from '../methodology/contracts.ts';
import { EVERY_FAMILY, sixMarkets } from './every-family.ts';
import { killedAt } from './killed-store.ts';
import { defineRate, instantOf, keep, run, type Seen } from './recorded-world.ts';

const BASKETS = [define({ A: 1, D: 2 }, { ticker: 'BASKET' }), define(['B', 'C', 'E'], { ticker: 'BASKET' })];
const RATES = [
  defineRate('MEAN', 'simple_average', ['C', 'E']),
  defineRate('MEDIAN', 'robust_median', ['B', 'C', 'D']),
  defineRate('ONE', 'event_contract', ['F']),
];
/** A basket of rates beside a market. */
const OF_RATES = indexDefinition.parse({
  ...BASKETS[0],
  ticker: 'OF-RATES',
  constituents: [
    { market_id: idOf('A'), weight: 1 },
    { rate: 'MEAN', weight: 1 },
    { rate: 'ONE', weight: 2 },
  ],
});
const ALL = { ...EVERY_FAMILY, indices: [...EVERY_FAMILY.indices, OF_RATES] };

/** The definitions before a run: all, none, or all with another basket or rate. */
type Defined = 'all' | 'none' | IndexDefinition | RateDefinition;
const defined = fc.constantFrom<Defined>('all', 'all', 'none', ...BASKETS, ...RATES);

/** One run of a service: the time since the previous one, what arrives before it, and what goes wrong. */
const aRun = fc.record({
  minutes: fc.integer({ min: 1, max: 300 }),
  defined: fc.option(defined, { freq: 6, nil: undefined }),
  killedAt: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 4, nil: undefined }),
  goesOnAfter: fc.constantFrom(0, 0, 7),
  backfill: fc.option(fc.constantFrom(undefined, 30), { freq: 6, nil: null }),
});

function adopt(store: Store, which: Defined, now: Instant): void {
  const changed = <Definition extends { ticker: string }>(each: Definition) =>
    typeof which === 'object' && each.ticker === which.ticker ? (which as unknown as Definition) : each;
  const definitions =
    which === 'none'
      ? { indices: [], rates: [] }
      : { indices: ALL.indices.map(changed), rates: ALL.rates.map(changed) };
  store.write((writer) =>
    adoptDefinitions(writer, definitions, now, {
      keepMissing: false,
      effectOf: (earlier, after) => announceChange(writer, planChange(earlier, after, now)),
    }),
  );
}

/** The result of verifying everything that was printed, and a range of it. */
const differences = (store: Store, range: VerifiedRange) =>
  store.read((reader) => [WHOLE, range].flatMap((each) => verify(reader, [], each).differences));

const aRange = fc
  .uniqueArray(fc.integer({ min: -1, max: 30 * 60 }), { minLength: 2, maxLength: 2 })
  .map((minutes) => minutes.map((each) => START + each * MINUTE_MS).sort((a, b) => a - b))
  .map(([from = 0, to = 0]): VerifiedRange => ({ from, to }));

/** Prices come some hours late; market statuses come in time. */
const late = sixMarkets.chain((seen) =>
  fc.tuple(
    ...seen.map((each) =>
      fc
        .integer({ min: 0, max: each.kind === 'price' ? 8 : 0 })
        .map((hours): [Instant, Seen] => [instantOf(each) + hours * HOUR_MS, each]),
    ),
  ),
);

it('whatever a service went through, verify finds no difference and a second backfill changes nothing', () => {
  fc.assert(
    fc.property(
      late,
      fc.array(aRun, { minLength: 4, maxLength: 14, size: 'max' }),
      aRange,
      (arriving, runs, range) => {
        const store = openStore(':memory:');
        adopt(store, 'all', START);
        let now = START;
        for (const each of runs) {
          const before = now;
          now += each.minutes * MINUTE_MS;
          const arrived = arriving.filter(([at]) => at <= now && (at > before || before === START));
          keep(
            store,
            arrived.map(([, seen]) => seen),
            now,
          );
          if (each.defined) adopt(store, each.defined, now);
          if (each.killedAt !== undefined) {
            try {
              compute(killedAt(store, each.killedAt), now, () => {});
            } catch {}
            now += each.goesOnAfter * MINUTE_MS;
          }
          run(store, now);
          const wish = { tickers: [], from: now - 9 * HOUR_MS, to: now };
          if (each.backfill !== null)
            backfill(
              store,
              { ...wish, ...(each.backfill ? { every_minutes: each.backfill } : {}) },
              now,
              () => {},
            );
        }
        expect(differences(store, range)).toEqual([]);
        const all = { tickers: [], from: hour(0), to: now };
        backfill(store, all, now, () => {});
        expect(differences(store, range)).toEqual([]);
        expect(backfill(store, all, now, () => {})).toMatchObject({ restated: 0, added: 0, failures: [] });
      },
    ),
    { numRuns: rounds(2) },
  );
});

it('however definitions are edited, a backfill changes nothing where nothing came late', () => {
  fc.assert(
    fc.property(
      sixMarkets,
      fc.array(fc.tuple(fc.integer({ min: 20, max: 600 }), defined), {
        minLength: 4,
        maxLength: 8,
        size: 'max',
      }),
      aRange,
      (seen, edits, range) => {
        const store = openStore(':memory:');
        let now = START;
        adopt(store, 'all', now);
        for (const [minutes, edited] of [[0, 'all'] as const, ...edits, [30, 'all'] as const]) {
          const before = now === START ? Number.NEGATIVE_INFINITY : now;
          now += minutes * MINUTE_MS;
          const until = now;
          const arrived = seen.filter((each) => before < instantOf(each) && instantOf(each) <= until);
          keep(store, arrived, now);
          adopt(store, edited, now);
          run(store, now);
        }
        const wish = { tickers: [], from: 0, to: now };
        expect(backfill(store, wish, now, () => {})).toMatchObject({ restated: 0, added: 0, failures: [] });
        expect(differences(store, range)).toEqual([]);
      },
    ),
    { numRuns: rounds(2) },
  );
});
