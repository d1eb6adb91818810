import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { HOUR_MS } from '../../src/model/time.ts';
import type { Instant } from '../../src/model/units.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { marketKey } from '../../src/store/catalog/market-names.ts';
import { insertObservations } from '../../src/store/prices/prices.ts';
import { findIndexPrint } from '../../src/store/prints/index-prints.ts';
import { selectRatePrints } from '../../src/store/prints/rate-prints.ts';
import type { Store } from '../../src/store/store.ts';
import { at, rate, START } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';
import { rounds } from '../helpers/rounds.ts';
import { market } from '../helpers/small-store.ts';
import { differences, mean, observe, observeAll, pair } from './late-prices.ts';

describe('backfill', () => {
  const price = fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined });
  const world = fc.record({
    hours: fc.array(fc.record({ A: price, B: price, C: price, late: fc.boolean() }), {
      minLength: 2,
      maxLength: 10,
    }),
    settles: fc.option(fc.record({ hour: fc.nat({ max: 5 }), pays: fc.constantFrom(0, 1) }), {
      nil: undefined,
    }),
  });
  type World = typeof world extends fc.Arbitrary<infer Value> ? Value : never;
  const NAMES = ['A', 'B', 'C'] as const;

  /** Lists the markets and what is known of hour i's prices, either all or only what came in time. */
  function tell(
    store: Store,
    { hours, settles }: World,
    i: number,
    wanted: 'all' | 'in time' | 'late',
  ): void {
    const hour = hours[i];
    if (!hour || (wanted !== 'all' && hour.late !== (wanted === 'late'))) return;
    for (const name of NAMES) {
      const cents = hour[name];
      if (cents !== undefined && !(name === 'A' && settles && i >= settles.hour))
        observe(store, name, at(i), cents / 100, wanted === 'late' ? at(hours.length) : at(i));
    }
  }

  function list(store: Store, settles: World['settles'], seenAt: Instant): void {
    store.write((writer) => {
      for (const name of NAMES)
        upsertMarket(
          writer,
          market({
            market_id: `venue_a:${name}`,
            ...(settles && name === 'A'
              ? { status: 'settled', settled_at: at(settles.hour), payout: settles.pays }
              : {}),
          }),
          seenAt,
        );
    });
  }

  /** Records the markets as someone sees them who misses nothing. */
  function listKnown(store: Store, settles: World['settles']): void {
    list(store, undefined, at(0));
    if (settles) list(store, settles, at(settles.hour));
  }

  const quiet = () => {};
  const found = (store: Store, hour: number) => {
    const print = store.read((reader) => findIndexPrint(reader, 'PAIR', at(hour)));
    return print && { level: print.level, divisor: print.divisor, cash: print.cash };
  };

  it('adds prints only at whole steps of its grid, the first included, and so does a later restatement', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'], { interval_minutes: 240 })], [{ ...mean, interval_minutes: 240 }]);
    hand.at(at(0), { A: 0.5, B: 0.5 });
    hand.at(at(4), { A: 0.5, B: 0.5 });
    for (let hours = 0.9; hours < 8; hours += 0.1) observe(hand.store, 'A', at(hours), hours / 10, at(4.5));
    const instants = () =>
      (['index', 'rate'] as const).map((kind) =>
        hand.store.read((reader) =>
          reader.column(`SELECT DISTINCT (at - ?) / 3600000.0 FROM ${kind}_prints ORDER BY at`, START),
        ),
      );
    const wish = { tickers: [], every_minutes: 30 };
    backfill(hand.store, { ...wish, from: at(1), to: at(2.2) }, at(4.6), quiet);
    const first = [0, 1, 1.5, 2, 4];
    expect(instants()).toEqual([first, first]);
    // Up to now, but the series are at 04:00: later instants are calculated when they are due.
    backfill(hand.store, { ...wish, from: at(3.1), to: at(5.2) }, at(5.2), quiet);
    hand.at(at(8), { A: 0.5, B: 0.5 });
    observe(hand.store, 'A', at(1.1), 0.3, at(9));
    hand.at(at(9), { A: 0.5, B: 0.5 });
    const all = [0, 1, 1.5, 2, 3.5, 4, 8, 9];
    expect(instants()).toEqual([all, all]);
    expect(differences(hand.store)).toEqual([]);
  });

  it('leaves prints before its beginning alone, and says from what a print that it adds departs', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])]);
    for (const hours of [0, 1, 2]) hand.at(at(hours), { A: 0.5, B: 0.5 });
    observe(hand.store, 'A', at(0.5), 0.4, at(2.2));
    observe(hand.store, 'A', at(1.5), 0.6, at(2.2));
    const wish = { tickers: [], from: at(1.2), to: at(2), every_minutes: 30 };
    expect(backfill(hand.store, wish, at(2.5), quiet)).toMatchObject({ series: 1, restated: 0, added: 1 });
    const restated = hand.store.read((reader) =>
      reader.all('SELECT at, revision, old_value, new_value FROM restatements'),
    );
    // 1000 of each name, A a tenth up.
    expect(restated).toEqual([
      { at: at(1.5), revision: 1, old_value: 1000, new_value: expect.closeTo(1100, 9) },
    ]);
    expect(differences(hand.store)).toEqual([]);
  });

  it('does nothing when it starts in the future, not even to half-cent prints', () => {
    const hand = new HandStore();
    hand.adopt([], [rate('ONE', ['A'])]);
    list(hand.store, undefined, at(0));
    hand.store.write((writer) => {
      const observations = [0, 0.5, 1].map((hours) => ({ observed_at: at(hours) }));
      insertObservations(writer, marketKey(writer, 'venue_a:A'), { series: 'quote', observations }, at(1));
    });
    compute(hand.store, at(2), quiet);
    const wish = { tickers: [], from: at(3), to: at(4), every_minutes: 30 };
    expect(backfill(hand.store, wish, at(2.5), quiet)).toMatchObject({ restated: 0, added: 0 });
    const prints = hand.store.read((reader) => selectRatePrints(reader, 'ONE', at(0), at(4)));
    expect(prints.map(({ at: then, price }) => [(then - START) / HOUR_MS, price])).toEqual([
      [0, 0.005],
      [1, 0.005],
    ]);
  });

  it('gives half-cent prints the price of an earlier trade; the next trade does not replace them again', () => {
    const hand = new HandStore();
    hand.adopt([], [rate('ONE', ['A'])]);
    list(hand.store, undefined, at(0));
    const unquoted = [0, 1].map((hours) => ({ observed_at: at(hours) }));
    observeAll(hand.store, 'A', unquoted, at(1));
    compute(hand.store, at(1), quiet);
    const prices = () =>
      hand.store.read((reader) => selectRatePrints(reader, 'ONE', at(0), at(2)).map((print) => print.price));
    expect(prices()).toEqual([0.005, 0.005]);
    observeAll(hand.store, 'A', [{ observed_at: at(0.5), last: 0.3 }], at(1.5));
    backfill(hand.store, { tickers: [], from: at(1), to: at(2) }, at(1.5), quiet);
    expect(prices()).toEqual([0.3, 0.3]);
    observeAll(hand.store, 'A', [{ observed_at: at(2), last: 0.4 }], at(2));
    compute(hand.store, at(2), quiet);
    expect(prices()).toEqual([0.3, 0.3, 0.4]);
    expect(differences(hand.store)).toEqual([]);
  });

  it('gives the prints of a service that ran live on the same grid and knew everything', () => {
    fc.assert(
      fc.property(world, (given) => {
        const end = given.hours.length;
        const informed = new HandStore();
        informed.adopt([pair(NAMES)]);
        listKnown(informed.store, given.settles);
        for (let i = 0; i < end; i++) tell(informed.store, given, i, 'all');
        for (let i = 0; i <= end; i++) compute(informed.store, at(i), quiet);

        const late = new HandStore();
        late.adopt([pair(NAMES)]);
        list(late.store, undefined, at(0));
        for (let i = 0; i < end; i++) {
          tell(late.store, given, i, 'in time');
          compute(late.store, at(i), quiet);
        }
        // Nobody has seen the future.
        if (given.settles && given.settles.hour <= end) list(late.store, given.settles, at(end));
        for (let i = 0; i < end; i++) tell(late.store, given, i, 'late');
        compute(late.store, at(end), quiet);
        backfill(late.store, { tickers: [], from: 0, to: at(end) }, at(end), quiet);

        const coarse = new HandStore();
        coarse.adopt([pair(NAMES, { interval_minutes: 1440 })]);
        listKnown(coarse.store, given.settles);
        for (let i = 0; i < end; i++) tell(coarse.store, given, i, 'all');
        compute(coarse.store, at(end), quiet);
        backfill(
          coarse.store,
          { tickers: ['PAIR'], from: 0, to: at(end), every_minutes: 60 },
          at(end),
          quiet,
        );

        for (let i = 0; i <= end; i++) {
          expect(found(late.store, i)).toEqual(found(informed.store, i));
          expect(found(coarse.store, i)).toEqual(found(informed.store, i));
        }
        for (const { store } of [informed, late, coarse]) {
          expect(differences(store)).toEqual([]);
          store.close();
        }
      }),
      { numRuns: rounds(14), endOnFailure: true },
    );
  });
});
