import { describe, expect, it } from 'vitest';
import { compute } from '../../src/compute/compute.ts';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import type { SeriesKind } from '../../src/model/constituent-id.ts';
import { given } from '../../src/model/given.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { upsertMarket } from '../../src/store/catalog/catalog.ts';
import { listDivisorSteps } from '../../src/store/prints/divisor-steps.ts';
import { findIndexPrint, selectFirstIndexPrints } from '../../src/store/prints/index-prints.ts';
import { selectRatePrints } from '../../src/store/prints/rate-prints.ts';
import { listRestatements } from '../../src/store/restatements.ts';
import type { Store } from '../../src/store/store.ts';
import { ALL, at, index, rate, START } from '../helpers/hand-definitions.ts';
import { HandStore } from '../helpers/hand-store.ts';
import { market } from '../helpers/small-store.ts';
import { differences, mean, observe, observeAll, pair } from './late-prices.ts';

const levels = (store: Store, ticker = 'PAIR') =>
  store.read((reader) =>
    [0, 1, 2, 3, 4].flatMap((hours) => findIndexPrint(reader, ticker, at(hours))?.level ?? []),
  );
const dailyLevels = ({ store }: HandStore, days: readonly number[]) =>
  store.read((reader) => days.map((day) => findIndexPrint(reader, 'PAIR', START + day * DAY_MS)?.level));

/** Two constituents over three hours; the third run learns that A has paid 1 since half past one. */
function lateSettlement(): HandStore {
  const hand = new HandStore();
  hand.adopt([pair(['A', 'B']), totalReturn], [mean]);
  hand.at(at(0), { A: 0.5, B: 0.5 });
  hand.at(at(1), { A: 0.6, B: 0.5 });
  hand.at(at(2), { A: 0.7, B: 0.5 });
  hand.at(at(3), { A: { pays: 1, since: at(1.5) }, B: 0.5 });
  return hand;
}

const totalReturn = index('PAIR.TR', 'total_return', { base_index_id: 'PAIR' });

it('an index that begins later after a restatement does not continue from what was printed before that', () => {
  const hand = new HandStore();
  hand.adopt([pair(['A']), totalReturn]);
  hand.at(at(0), { X: 0.5 });
  hand.at(at(1), { A: 0.5 });
  hand.at(at(2), { A: 0.6 });
  expect(levels(hand.store).slice(0, 2)).toEqual([1000, expect.closeTo(1200, 9)]);
  // A had no good book at one: the index begins at two. What was printed at one stays.
  observeAll(hand.store, 'A', [{ observed_at: at(1), bid: 0.1, ask: 0.9 }], at(3));
  hand.at(at(3), { A: 0.9 });
  expect(levels(hand.store).slice(0, 3)).toEqual([1000, 1000, expect.closeTo(1500, 9)]);
  // A price of two o'clock is corrected: the index still begins there, at 1000, and had no base before.
  observe(hand.store, 'A', at(2), 0.75, at(4));
  hand.at(at(4), { A: 0.3 });
  const expected = [1000, 1000, expect.closeTo(1200, 9), expect.closeTo(400, 9)];
  expect(levels(hand.store)).toEqual(expected);
  // Nor does its total return, which begins with it.
  expect(levels(hand.store, 'PAIR.TR')).toEqual(expected);
  expect(differences(hand.store)).toEqual([]);
});

it('an index that has no beginning any more after a restatement begins with its next good mark', () => {
  const hand = new HandStore();
  hand.adopt([pair(['A']), totalReturn]);
  hand.at(at(0), { X: 0.5 });
  hand.at(at(1), { A: 0.5 });
  observeAll(hand.store, 'A', [{ observed_at: at(1), bid: 0.1, ask: 0.9 }], at(2));
  hand.at(at(2), { X: 0.5 });
  hand.at(at(3), { A: 0.6 });
  hand.at(at(4), { A: 0.9 });
  const expected = [1000, 1000, 1000, expect.closeTo(1500, 9)];
  expect(levels(hand.store)).toEqual(expected);
  expect(levels(hand.store, 'PAIR.TR')).toEqual(expected);
  expect(differences(hand.store)).toEqual([]);
  const wish = { tickers: [], from: 0, to: ALL };
  expect(backfill(hand.store, wish, at(5), () => {})).toMatchObject({ restated: 0, added: 0 });
});

it('[2.4.1] an index that has no beginning any more shows the shares of its definition everywhere', () => {
  const hand = new HandStore();
  hand.adopt([pair(['A', 'B'])]);
  hand.at(at(0), { X: 0.5 });
  hand.at(at(1), { A: 0.5 });
  observeAll(hand.store, 'A', [{ observed_at: at(1), bid: 0.1, ask: 0.9 }], at(2));
  hand.at(at(2), { X: 0.5 });
  const asked = { id: 'PAIR', now: START + 2 * DAY_MS };
  const half = expect.objectContaining({ weight: 0.5 });
  expect(hand.ask('/indices/{id}/constituents', asked)?.data).toEqual([half, half]);
  expect(hand.ask('/indices/{id}', asked)?.constituent_returns).toEqual([half, half]);
});

describe('a settlement that becomes known late', () => {
  it('restates an index that has dropped the constituent since', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])]);
    hand.at(at(0), { A: 0.5, B: 0.5 });
    hand.adopt([pair(['B', 'C'])], [], { withNotice: true });
    // A leaves a day later at 0.6, until it becomes known that it had paid nothing half an hour before.
    hand.at(at(23), { A: 0.6, B: 0.5, C: 0.5 });
    hand.at(at(25), { B: 0.5, C: 0.5 });
    const level = () => hand.store.read((reader) => findIndexPrint(reader, 'PAIR', at(25))?.level);
    expect(level()).toBeCloseTo(1100, 9);
    hand.at(at(26), { A: { pays: 0, since: at(23.5) }, B: 0.5, C: 0.5 });
    expect(level()).toBeCloseTo(500, 9);
    expect(differences(hand.store)).toEqual([]);
  });

  it('restates the prints from its own instant on; earlier revisions are kept', () => {
    const { store } = lateSettlement();
    // 1000 of each name: 1000, 1100, then A pays 1: 1500 and not 1200, all of it in B from then on.
    expect(levels(store).slice(0, 4)).toEqual(
      [1000, 1100, 1500, 1500].map((level) => expect.closeTo(level, 9)),
    );
    expect(
      store.read((reader) => listRestatements(reader, { kind: 'index', ticker: 'PAIR' }, at(2))),
    ).toEqual([
      {
        at: at(2),
        revision: 1,
        replaces: 0,
        old_value: expect.closeTo(1200, 9),
        new_value: expect.closeTo(1500, 9),
        reason: 'late_settlement',
        recorded_at: at(3),
      },
    ]);
    const first = store.read((reader) => selectFirstIndexPrints(reader, 'PAIR', at(2), at(2)));
    expect(first).toMatchObject([{ revision: 0, level: expect.closeTo(1200, 9) }]);
    expect(store.read((reader) => findIndexPrint(reader, 'PAIR', ALL, at(2)))).toMatchObject({ revision: 0 });
  });

  it('appears once in the ledger, at the restated print, and the total return follows', () => {
    const { store } = lateSettlement();
    const steps = store.read((reader) => listDivisorSteps(reader, 'PAIR'));
    expect(steps.map((step) => [(step.at - START) / HOUR_MS, step.reason])).toEqual([
      [0, 'base'],
      [2, 'settlement'],
    ]);
    expect(levels(store, 'PAIR.TR')[2]).toBeCloseTo(1500, 9);
  });

  it('is verified by what each run and the restatement knew', () => {
    const hand = lateSettlement();
    hand.at(at(4), { B: 0.25 });
    expect(levels(hand.store)[4]).toBeCloseTo(750, 9);
    expect(differences(hand.store)).toEqual([]);
  });

  it('is verified as well when it is taken back', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])]);
    hand.at(at(0), { A: 0.5, B: 0.5 });
    hand.at(at(1), { A: { pays: 1 }, B: 0.5 });
    hand.at(at(2), { B: 0.6 });
    // 1000 of each: A pays 1, then 3000 of B go from 0.50 to 0.60.
    const close = (values: readonly number[]) => values.map((each) => expect.closeTo(each, 9));
    expect(levels(hand.store).slice(0, 3)).toEqual(close([1000, 1500, 1800]));
    hand.at(at(3), { A: 0.4, B: 0.6 });
    // It never paid: nothing was known of it while its venue said so, and now it is at 0.40.
    expect(levels(hand.store).slice(0, 4)).toEqual(close([1000, 1000, 1100, 1000]));
    expect(differences(hand.store)).toEqual([]);
  });

  const close = (values: readonly number[]) => values.map((each) => expect.closeTo(each, 9));

  it.each([
    ['told', at(1)],
    ['not told', undefined],
  ])('restates from when it paid, %s, once its payout is corrected', (_, settled_at) => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])]);
    hand.at(at(0), { A: 0.5, B: 0.5 });
    const pays = (payout: number, now: number) => {
      const settled = { status: 'settled', payout, ...given({ settled_at }) } as const;
      hand.store.write((writer) => upsertMarket(writer, market({ market_id: 'venue_a:A', ...settled }), now));
    };
    pays(1, at(1));
    hand.at(at(1), { B: 0.5 });
    hand.at(at(2), { B: 0.6 });
    expect(levels(hand.store).slice(0, 3)).toEqual(close([1000, 1500, 1800]));
    pays(0, at(3));
    hand.at(at(3), { B: 0.6 });
    // 1000 of each: A pays nothing, so that 1000 of B are left.
    expect(levels(hand.store).slice(0, 4)).toEqual(
      close(settled_at === undefined ? [1000, 1000, 1100, 600] : [1000, 500, 600, 600]),
    );
    expect(differences(hand.store)).toEqual([]);
  });

  it('leaves the prints before it as they are when only its instant moves on', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])]);
    hand.at(at(0), { A: 0.5, B: 0.5 });
    hand.at(at(1), { A: { pays: 1 }, B: 0.5 });
    hand.at(at(2), { B: 0.6 });
    hand.at(at(3), { A: { pays: 1, since: at(2.5) }, B: 0.6 });
    expect(levels(hand.store).slice(0, 3)).toEqual(close([1000, 1500, 1800]));
    expect(differences(hand.store)).toEqual([]);
  });

  it('is retried in the next run when restating failed', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])], [mean]);
    for (const hours of [0, 1, 2]) hand.at(at(hours), { A: 0.5, B: 0.5 });
    const trigger = `CREATE TRIGGER full BEFORE INSERT ON restatements WHEN new.ticker = 'PAIR'
      BEGIN SELECT raise(ABORT, 'no room'); END`;
    hand.store.write((writer) => writer.run(trigger));
    expect(() => hand.at(at(3), { A: { pays: 1, since: at(1) }, B: 0.5 })).toThrow('no room');
    const restated = (kind: SeriesKind, ticker: string) =>
      hand.store.read((reader) => listRestatements(reader, { kind, ticker }, at(2))).length;
    expect([restated('index', 'PAIR'), restated('rate', 'MEAN')]).toEqual([0, 1]);
    hand.store.write((writer) => writer.run('DROP TRIGGER full'));
    hand.at(at(4), { B: 0.5 });
    expect(restated('index', 'PAIR')).toBe(1);
    expect(levels(hand.store)[2]).toBeCloseTo(1500, 9);
    hand.at(at(5), { B: 0.5 });
    expect(restated('index', 'PAIR')).toBe(1);
    expect(differences(hand.store)).toEqual([]);
  });

  it('leaves a departure shortly before it in the ledger', () => {
    const hand = new HandStore();
    const until = new Date(at(26)).toISOString();
    const team = index('TEAM', 'nti', {
      constituents: [
        { market_id: 'venue_a:C', seat: 'championship' },
        { market_id: 'venue_a:F', seat: 'conference' },
        { market_id: 'venue_a:D', seat: 'division', active_until: until },
      ],
    });
    hand.adopt([team]);
    hand.at(at(0), { C: 0.5, F: 0.5, D: 0.5 });
    // Nobody quotes for a day: all are held when a constituent leaves.
    hand.at(at(27), {});
    hand.at(at(29), { C: 0.5, F: 0.5 });
    hand.at(at(30), { C: { pays: 1, since: at(28) }, F: 0.5 });
    const steps = hand.store.read((reader) => listDivisorSteps(reader, 'TEAM'));
    expect(steps.map((step) => [(step.at - START) / HOUR_MS, step.reason])).toEqual([
      [0, 'base'],
      [26, 'departure'],
      [28, 'settlement'],
    ]);
    expect(differences(hand.store)).toEqual([]);
  });

  it.each([
    ['restates what is exactly seven days old', 2, [1000, 1500, 1500, 1500]],
    ['enters only at the next print when it is older than seven days', 1, [1000, 1000, 1000, 1500]],
  ])('%s', (_what, since, expected) => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'], { interval_minutes: 1440 })]);
    for (const day of [0, 1, 2, 8]) hand.at(START + day * DAY_MS, { A: 0.5, B: 0.5 });
    hand.at(START + 9 * DAY_MS, { A: { pays: 1, since: START + since * DAY_MS }, B: 0.5 });
    expect(dailyLevels(hand, [1, 2, 8, 9])).toEqual(expected.map((level) => expect.closeTo(level, 9)));
    expect(differences(hand.store)).toEqual([]);
  });

  it('restates nothing any more when restating failed until it was older than seven days', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'], { interval_minutes: 1440 })]);
    for (const day of [0, 1, 2, 3]) hand.at(START + day * DAY_MS, { A: 0.5, B: 0.5 });
    hand.store.write((writer) =>
      writer.run(
        `CREATE TRIGGER full BEFORE INSERT ON restatements BEGIN SELECT raise(ABORT, 'no room'); END`,
      ),
    );
    const paid = { A: { pays: 1, since: START + 2 * DAY_MS }, B: 0.5 };
    expect(() => hand.at(START + 4 * DAY_MS, paid)).toThrow('no room');
    hand.store.write((writer) => writer.run('DROP TRIGGER full'));
    hand.at(START + 10 * DAY_MS, { B: 0.5 });
    expect(dailyLevels(hand, [2, 3, 4, 10])).toEqual(
      [1000, 1000, 1500, 1500].map((level) => expect.closeTo(level, 9)),
    );
    expect(differences(hand.store)).toEqual([]);
  });
});

describe('a revised price', () => {
  it('restates indices and rates from its own instant on, and the series says so', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])], [mean]);
    for (const hours of [0, 1, 2]) hand.at(at(hours), { A: 0.5, B: 0.5 });
    observe(hand.store, 'A', at(1), 0.6, at(3));
    hand.at(at(3), { A: 0.5, B: 0.5 });
    expect(levels(hand.store).slice(0, 4)).toEqual([1000, expect.closeTo(1100, 9), 1000, 1000]);
    const restated = (kind: SeriesKind, ticker: string) =>
      hand.store.read((reader) => listRestatements(reader, { kind, ticker }, at(1)));
    expect(restated('index', 'PAIR')).toMatchObject([{ reason: 'revised_price', revision: 1 }]);
    expect(restated('rate', 'MEAN')).toMatchObject([{ old_value: 0.5, new_value: expect.closeTo(0.55, 9) }]);
    const rows = hand.ask('/indices/{id}/prices', { id: 'PAIR' })?.data as unknown as object[];
    expect(rows.map((row) => 'revision' in row)).toEqual([false, true, false, false]);
    expect(differences(hand.store)).toEqual([]);
  });

  it('restates from the earliest of several on, in whatever order they were recorded', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])]);
    for (const hours of [0, 1, 2, 3]) hand.at(at(hours), { A: 0.5, B: 0.5 });
    observe(hand.store, 'A', at(3), 0.7, at(4));
    const revised = [1, 2].map((hours) => ({ observed_at: at(hours), bid: 0.6, ask: 0.6 }));
    observeAll(hand.store, 'B', revised, at(4));
    hand.at(at(4), { A: 0.5, B: 0.5 });
    const expected = [1000, 1100, 1100, 1200, 1000].map((level) => expect.closeTo(level, 9));
    expect(levels(hand.store)).toEqual(expected);
    expect(differences(hand.store)).toEqual([]);
  });
});

describe('an index of rates', () => {
  const holder = pair(['C'], {
    ticker: 'HOLDER',
    constituents: [{ market_id: 'venue_a:C' }, { rate: 'MEAN' }],
  });
  const restated = (store: Store) =>
    store.read((reader) =>
      reader.all(
        `SELECT from_at, reason FROM recalculations WHERE ticker = 'HOLDER' ORDER BY recalculation_id`,
      ),
    );

  it('takes a rate as first printed, whatever is revised behind it', () => {
    const hand = new HandStore();
    hand.adopt([holder], [mean]);
    for (const hours of [0, 1, 2]) hand.at(at(hours), { A: 0.5, B: 0.5, C: 0.5 });
    observe(hand.store, 'C', at(1.5), 0.6, at(2.5));
    observe(hand.store, 'A', at(1), 0.7, at(2.5));
    hand.at(at(3), { A: 0.5, B: 0.5, C: 0.5 });
    expect(restated(hand.store)).toEqual([]);
    expect(levels(hand.store, 'HOLDER').slice(0, 4)).toEqual([1000, 1000, 1000, 1000]);
    expect(differences(hand.store)).toEqual([]);
  });

  it('is restated when the sources of a rate are late known to have paid', () => {
    const hand = new HandStore();
    hand.adopt([holder], [mean]);
    for (const hours of [0, 1, 2]) hand.at(at(hours), { A: 0.5, B: 0.5, C: 0.5 });
    const paid = { pays: 1, since: at(1.5) };
    hand.at(at(3), { A: paid, B: paid, C: 0.5 });
    expect(restated(hand.store)).toEqual([{ from_at: at(1.5), reason: 'late_settlement' }]);
    const expected = [1000, 1000, 1500, 1500].map((level) => expect.closeTo(level, 9));
    expect(levels(hand.store, 'HOLDER').slice(0, 4)).toEqual(expected);
    expect(differences(hand.store)).toEqual([]);
  });
});

describe('a late price that is revised before anything rested on it, or a revised volume', () => {
  it('restates nothing', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])], [mean]);
    for (const hours of [0, 1, 2]) hand.at(at(hours), { A: 0.5, B: 0.5 });
    observe(hand.store, 'B', at(1.5), 0.6, at(2.2));
    observe(hand.store, 'B', at(1.5), 0.7, at(2.4));
    observeAll(hand.store, 'A', [{ observed_at: at(1), bid: 0.5, ask: 0.5, volume: 7 }], at(2.4));
    hand.at(at(3), { A: 0.5, B: 0.5 });
    expect(levels(hand.store).slice(0, 4)).toEqual([1000, 1000, 1000, 1000]);
    expect(hand.store.read((reader) => reader.all('SELECT * FROM recalculations'))).toEqual([]);
    expect(differences(hand.store)).toEqual([]);
  });
});

describe('a rate whose sources were changed', () => {
  /** A and B for three hours, then B and C. */
  function changedRate(): HandStore {
    const hand = new HandStore();
    hand.adopt([], [mean]);
    for (const hours of [0, 1, 2]) hand.at(at(hours), { A: 0.4, B: 0.5, C: 0.8 });
    hand.adopt([], [rate('MEAN', ['B', 'C'])]);
    hand.at(at(3), { A: 0.4, B: 0.5, C: 0.8 });
    return hand;
  }
  const prices = ({ store }: HandStore) =>
    store.read((reader) => selectRatePrints(reader, 'MEAN', at(0), at(4)).map((print) => print.price));

  it('keeps its history in a backfill on any grid: each instant uses the sources it had', () => {
    const hand = changedRate();
    const had = [0.45, 0.45, 0.45, 0.65].map((price) => expect.closeTo(price, 9));
    expect(prices(hand)).toEqual(had);
    const wish = { tickers: [], from: 0, to: ALL };
    expect(backfill(hand.store, wish, at(3), () => {})).toMatchObject({ restated: 0, added: 0 });
    observe(hand.store, 'B', at(1.5), 0.6, at(3.5));
    backfill(hand.store, { ...wish, every_minutes: 30 }, at(4), () => {});
    expect(prices(hand)).toEqual(
      [0.45, 0.45, 0.5, 0.45, 0.65, 0.65].map((price) => expect.closeTo(price, 9)),
    );
    expect(differences(hand.store)).toEqual([]);
  });

  it('has paid an index what its sources had paid by then', () => {
    const hand = new HandStore();
    const constituents = [{ market_id: 'venue_a:B' }, { rate: 'MEAN' }];
    const holds = { ...pair(['B']), constituents };
    const gauge = { ...holds, ticker: 'GAUGE', methodology: 'gauge', quote_convention: 'probability' };
    const chain = (...names: string[]) => ({
      ...mean,
      methodology: 'rolling',
      roll: { kind: 'step_change' },
      sources: names.map((name, i) => ({
        market_id: `venue_a:${name}`,
        ...(i < names.length - 1 ? { roll_at: new Date(at(i)).toISOString() } : {}),
      })),
    });
    hand.adopt([holds, gauge], [chain('C', 'A')]);
    hand.at(at(0), { A: 0.5, B: 0.5, C: 0.5 });
    hand.at(at(1), { A: { pays: 1 }, B: 0.5, C: 0.5 });
    // The last contract of the chain has paid 1; what comes after it in the chain comes after that.
    hand.adopt([holds, gauge], [chain('C', 'A', 'D')]);
    hand.at(at(2), { B: 0.6, C: 0.5, D: 0.3 });
    const had = [1000, 1500, 1800].map((level) => expect.closeTo(level, 9));
    expect(levels(hand.store).slice(0, 3)).toEqual(had);
    // A gauge keeps the name at its payoff, whatever the rate prints later.
    expect(levels(hand.store, 'GAUGE').slice(0, 3)).toEqual(
      [50, 75, 80].map((level) => expect.closeTo(level, 9)),
    );
    const wish = { tickers: ['PAIR', 'GAUGE'], from: 0, to: ALL };
    expect(backfill(hand.store, wish, at(3), () => {})).toMatchObject({ restated: 0, added: 0 });
    expect(differences(hand.store)).toEqual([]);
  });

  it('has paid an index in a backfill when the sources of that time had paid', () => {
    const hand = new HandStore();
    const holder = { ...pair(['D']), constituents: [{ market_id: 'venue_a:D' }, { rate: 'MEAN' }] };
    hand.adopt([holder], [mean]);
    hand.at(at(0), { A: 0.5, B: 0.5, C: 0.5, D: 0.5 });
    hand.adopt([holder], [rate('MEAN', ['A', 'C'])]);
    // Of its first sources B still trades, of its present ones none.
    hand.at(at(1), { A: { pays: 1 }, B: 0.5, C: { pays: 1 }, D: 0.5 });
    hand.at(at(2), { B: 0.5, D: 0.6 });
    // 1000 of each: MEAN pays 1, then 3000 of D go from 0.50 to 0.60.
    const had = [1000, 1500, 1800].map((level) => expect.closeTo(level, 9));
    expect(levels(hand.store).slice(0, 3)).toEqual(had);
    const wish = { tickers: ['PAIR'], from: 0, to: ALL };
    expect(backfill(hand.store, wish, at(3), () => {})).toMatchObject({ restated: 0, added: 0 });
    expect(differences(hand.store)).toEqual([]);
  });

  it('is restated when a late fact concerns a source that it had then', () => {
    const hand = changedRate();
    hand.at(at(4), { A: { pays: 1, since: at(1.5) }, B: 0.5, C: 0.8 });
    // From half past one on A has paid and B is the only source left.
    expect(prices(hand)).toEqual([0.45, 0.45, 0.5, 0.65, 0.65].map((price) => expect.closeTo(price, 9)));
    expect(differences(hand.store)).toEqual([]);
  });
});

describe('a store without room for what is restated', () => {
  /** A hundred hours of two names, of which one turns out to have paid after the first; and no room for more pages. */
  function withoutRoom(): Store {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])]);
    for (let hours = 0; hours < 100; hours++) hand.at(at(hours), { A: 0.5, B: 0.5 });
    const { store } = hand;
    store.write((writer) => {
      const settled = { status: 'settled', settled_at: at(1), payout: 1 } as const;
      upsertMarket(writer, market({ market_id: 'venue_a:A', ...settled }), at(100));
      const used = writer.get<{ page_count: number }>('PRAGMA page_count')?.page_count;
      writer.all(`PRAGMA max_page_count = ${used}`);
    });
    return store;
  }
  const full = expect.objectContaining({ code: 'store_unusable' });

  it('ends the run: that is not the failure of one series', () => {
    expect(() => compute(withoutRoom(), at(100), () => {})).toThrow(full);
  });

  it('ends a backfill', () => {
    const wish = { tickers: [], from: 0, to: at(100) };
    expect(() => backfill(withoutRoom(), wish, at(100), () => {})).toThrow(full);
  });
});
