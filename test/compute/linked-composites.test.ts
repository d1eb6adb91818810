import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import type { Instant } from '../../src/model/units.ts';
import { listDivisorSteps } from '../../src/store/prints/divisor-steps.ts';
import { selectFirstIndexPrints, selectIndexPrints } from '../../src/store/prints/index-prints.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { ALL, at, basket, index, parseDefinitions } from '../helpers/hand-definitions.ts';
import { HandStore, type Prices } from '../helpers/hand-store.ts';
import { rounds } from '../helpers/rounds.ts';
import { hour, START } from '../methodology/contracts.ts';
import { observe } from './late-prices.ts';
import { adopt, HOURS, instantOf, keep, recordedWorld, run } from './recorded-world.ts';

const gauge = (names: readonly string[], more: object = {}) =>
  index('G', 'gauge', {
    quote_convention: 'probability',
    weighting: { scheme: 'equal' },
    constituents: names.map((name) => ({ market_id: `venue_a:${name}` })),
    ...more,
  });
const composite = (ticker: string, names: readonly string[], more: object = {}) =>
  index(ticker, 'composite', {
    weighting: { categories: { all: 1 } },
    constituents: names.map((name) => ({ index: name, category: 'all' })),
    ...more,
  });
const totalReturn = (base: string, more: object = {}) =>
  index(`${base}.TR`, 'total_return', { base_index_id: base, ...more });

const about = (levels: readonly number[]) => levels.map((level) => expect.closeTo(level, 9));
const printsOf = (store: Store, ticker: string) =>
  store.read((reader) => selectIndexPrints(reader, ticker, 0, ALL));
const levelsOf = (store: Store, ticker: string) => printsOf(store, ticker).map(({ level }) => level);
const stepsOf = (store: Store, ticker: string) => store.read((reader) => listDivisorSteps(reader, ticker));
const differences = (store: Store) => store.read((reader) => verify(reader, []).differences);

/** A store that sees a board at each hour, the second one when a change takes effect. */
function play(definitions: object[], boards: readonly Prices[], changed?: object[]) {
  const hand = new HandStore();
  hand.adopt(definitions);
  for (const [i, board] of boards.entries()) {
    hand.at(at(changed && i > 0 ? 23 + i : i), board);
    if (changed && i === 0) hand.adopt(changed, [], { withNotice: true });
  }
  return hand;
}

describe('[2.4.2] a composite of a gauge', () => {
  it('goes with the prices of its names, not with one that enters late', () => {
    const hand = play(
      [totalReturn('WHOLE'), composite('WHOLE', ['G', 'P']), gauge(['A', 'B']), basket('P', ['C'])],
      [
        { A: 0.4, C: 0.5 },
        { A: 0.5, B: 0.8, C: 0.5 },
        { A: 0.5, B: 0.9, C: 0.5 },
      ],
    );
    const { store } = hand;
    // 40; then 50 without B, 65 with it; then 70.
    expect(levelsOf(store, 'G')).toEqual(about([40, 65, 70]));
    const whole = about([1000, 625 + 500, (625 * 70) / 65 + 500]);
    expect(levelsOf(store, 'WHOLE')).toEqual(whole);
    expect(levelsOf(store, 'WHOLE.TR')).toEqual(whole);
    const [, step] = stepsOf(store, 'WHOLE');
    expect(step).toMatchObject({ at: at(1), reason: 'linking', market_ids: ['index:G'] });
    expect(step?.level_after).toBeCloseTo(step?.level_before ?? 0, 9);
    const quantity = expect.closeTo(625 / 65, 9);
    expect(printsOf(store, 'WHOLE')[1]?.lines).toMatchObject([
      { market_id: 'index:G', state: 'included', price: expect.closeTo(65, 9), quantity },
      { market_id: 'index:P', state: 'included' },
      { market_id: 'index:G', state: 'departed', price: expect.closeTo(50, 9), quantity: 12.5, weight: 0 },
    ]);
    expect(differences(store)).toEqual([]);
    const rows = hand.ask('/indices/{id}/constituents', { id: 'WHOLE' })?.data;
    expect(rows).toHaveLength(2);
  });

  it('[2.4] has groups whose changes sum to that of its level, with the weights of their rows', () => {
    const hand = new HandStore();
    hand.adopt([composite('WHOLE', ['G', 'P']), gauge(['A', 'B']), basket('P', ['C'])]);
    hand.at(at(0), { A: 0.4, C: 0.5 });
    hand.at(at(24), { A: 0.5, B: 0.8, C: 0.5 });
    const body = hand.ask('/indices/{id}', { id: 'WHOLE', tier: 'authenticated' });
    expect(body?.constituent_returns).toEqual([
      { group: 'all', weight: 1, point_change: 125, percent_change: 12.5 },
    ]);
  });

  it('goes with the prices of the names of before through a changed definition', () => {
    const rest = [composite('WHOLE', ['G', 'P']), basket('P', ['C'])];
    const { store } = play(
      [gauge(['A', 'B'], { quote_convention: 'centred' }), ...rest],
      [
        { A: 0.4, B: 0.6, C: 0.5 },
        { A: 0.5, B: 0.7, C: 0.5 },
        { A: 0.9, B: 0.6, C: 0.5 },
      ],
      [gauge(['B'], { quote_convention: 'centred' }), ...rest],
    );
    expect(levelsOf(store, 'G')).toEqual(about([100, 120, 110]));
    expect(levelsOf(store, 'WHOLE')).toEqual(about([1000, 550 + 500, (550 * 110) / 120 + 500]));
    expect(differences(store)).toEqual([]);
  });

  it('is one of all steps between two of its prints, also where it was held', () => {
    const slow = { interval_minutes: 240 };
    const hand = new HandStore();
    hand.adopt([composite('WHOLE', ['G', 'P'], slow), gauge(['A', 'B', 'C']), basket('P', ['D'])]);
    hand.at(at(0), { A: 0.4, D: 0.5 });
    // For more than seven days no name has a price.
    hand.at(at(200), { D: 0.5 });
    const held = printsOf(hand.store, 'WHOLE').at(-1)?.lines[0];
    expect(held).toMatchObject({ market_id: 'index:G', state: 'excluded', exclude_reason: 'stale_quote' });
    hand.at(at(201), { A: 0.5, B: 0.8, D: 0.5 });
    hand.at(at(202), { A: 0.5, B: 0.9, C: 0.4, D: 0.5 });
    hand.at(at(204), { A: 0.5, B: 0.9, C: 0.4, D: 0.5 });
    // 40; 50 and 65; 70 and 60.
    const worth = (((500 * 50) / 40) * 70) / 65;
    expect(levelsOf(hand.store, 'WHOLE').at(-1)).toBeCloseTo(worth + 500, 9);
    const linkings = stepsOf(hand.store, 'WHOLE').filter((step) => step.reason === 'linking');
    expect(linkings.map((step) => step.at)).toEqual([at(201), at(202)]);
    expect(differences(hand.store)).toEqual([]);
  });

  it.each([
    ['at the base', [], 1],
    ['at its admission', ['P'], 0],
  ])('has nothing to link of a step %s', (_name, first, begins) => {
    const base_at = new Date(at(begins)).toISOString();
    const late = { base_at: new Date(at(1)).toISOString() };
    const { store } = play(
      [
        composite('WHOLE', [...first, 'G'], { base_at }),
        gauge(['A', 'B'], begins === 0 ? late : {}),
        basket('P', ['C']),
      ],
      [
        { A: 0.4, C: 0.5 },
        { A: 0.5, B: 0.8, C: 0.5 },
        { A: 0.5, B: 0.8, C: 0.6 },
      ],
    );
    expect(stepsOf(store, 'WHOLE').map(({ reason }) => reason)).not.toContain('linking');
    expect(differences(store)).toEqual([]);
  });

  it('links before it sets all quantities anew at the same instant, or drops the gauge', () => {
    const boards = [
      { A: 0.4, C: 0.5, D: 0.5 },
      { A: 0.5, B: 0.8, C: 0.5, D: 0.5 },
      { A: 0.5, B: 0.9, C: 0.5, D: 0.5 },
    ];
    const parts = [gauge(['A', 'B']), basket('P', ['C']), basket('Q', ['D'])];
    const changed = (names: string[]) => {
      const { store } = play([totalReturn('WHOLE'), composite('WHOLE', ['G', 'P']), ...parts], boards, [
        totalReturn('WHOLE'),
        composite('WHOLE', names),
        ...parts,
      ]);
      expect(differences(store)).toEqual([]);
      const reasons = stepsOf(store, 'WHOLE').map(({ reason }) => reason);
      expect(reasons).toEqual(['base', 'linking', 'reconstitution']);
      const levels = levelsOf(store, 'WHOLE');
      expect(levelsOf(store, 'WHOLE.TR')).toEqual(about(levels));
      return levels;
    };
    expect(changed(['G', 'P', 'Q'])).toEqual(about([1000, 1125, 1125 * (2 / 3 + 70 / 65 / 3)]));
    expect(changed(['P', 'Q'])).toEqual(about([1000, 1125, 1125]));
  });

  it('ends the holding at what it was worth where a step moves the gauge to 0 or from it', () => {
    const settled = { A: { pays: 0 }, C: 0.5 };
    const rest = [composite('WHOLE', ['G', 'P']), basket('P', ['C'])];
    // A pays nothing in the print in which B enters: what was held is worth nothing.
    const from = play(
      [gauge(['A', 'B']), ...rest],
      [
        { A: 0.4, C: 0.5 },
        { ...settled, B: 0.8 },
        { ...settled, B: 0.9 },
      ],
    );
    expect(levelsOf(from.store, 'WHOLE')).toEqual(about([1000, 500, 500]));
    // The changed gauge has only a name that has paid nothing: what was held was worth 25 percent more.
    const to = play(
      [gauge(['B', 'A']), ...rest],
      [
        { B: 0.8, C: 0.5 },
        { B: 0.9, C: 0.5, A: { pays: 0 } },
      ],
      [gauge(['A']), ...rest],
    );
    expect(levelsOf(to.store, 'G')).toEqual(about([80, 0]));
    const worth = (500 * 90) / 80;
    expect(levelsOf(to.store, 'WHOLE')).toEqual(about([1000, worth + 500]));
    expect(printsOf(to.store, 'WHOLE')[1]?.lines.at(-1)).toMatchObject({
      market_id: 'index:G',
      state: 'settled',
      price: expect.closeTo(90, 9),
    });
    for (const { store } of [from, to]) expect(differences(store)).toEqual([]);
  });

  it('takes a restated admission with the next print, as it takes restated prices', () => {
    const hand = play(
      [totalReturn('WHOLE'), composite('WHOLE', ['G', 'P']), gauge(['A', 'B']), basket('P', ['C'])],
      [
        { A: 0.4, C: 0.5 },
        { A: 0.4, C: 0.5 },
        { A: 0.4, B: 0.8, C: 0.5 },
        { A: 0.4, B: 0.8, C: 0.5 },
      ],
    );
    const { store } = hand;
    expect(levelsOf(store, 'WHOLE').at(-1)).toBeCloseTo(1000, 9);
    // B could be had at 20 an hour earlier: what it gained until 80 was missed.
    observe(store, 'B', at(1), 0.2, at(4));
    backfill(store, { tickers: ['G'], from: at(0), to: ALL }, at(4), () => {});
    hand.at(at(5), { A: 0.4, B: 0.8, C: 0.5 });
    // 30 and 60 with it, where it was 40 and 60.
    expect(levelsOf(store, 'WHOLE').at(-1)).toBeCloseTo(500 * 2 + 500, 9);
    expect(levelsOf(store, 'WHOLE.TR').at(-1)).toBeCloseTo(1500, 9);
    expect(differences(store)).toEqual([]);
  });
});

const base_at = new Date(START).toISOString();

/** The gauge with one more name later; alone in composites of different intervals, and beside a basket. */
const definitionsWith = (names: readonly string[]) =>
  parseDefinitions(
    [
      composite('SLOW', ['G'], { base_at, interval_minutes: 180 }),
      composite('SOLO', ['G'], { base_at }),
      composite('WHOLE', ['G', 'P'], {
        base_at,
        weighting: { categories: { all: 1 }, rebalances: { every: 'week', day: 1, time: '14:00' } },
      }),
      composite('OUTER', ['SOLO', 'WHOLE'], { base_at }),
      totalReturn('WHOLE', { base_at }),
      gauge(names, { base_at }),
      basket('P', ['A', 'C'], { base_at }),
    ],
    [],
  );

/** What prices alone make of a gauge by its prints and its ledger: from 1000, where it is first above 0, until it is 0. */
function priceIndex(store: Store): Map<Instant, number> {
  const levels = new Map<Instant, number>();
  const stepped = new Map(stepsOf(store, 'G').map((step) => [step.at, step.level_before]));
  let [level, before] = [1000, 0];
  for (const print of printsOf(store, 'G')) {
    if (before === 0 && print.level === 0) continue;
    level *= before === 0 ? 1 : (stepped.get(print.at) ?? print.level) / before;
    before = print.level;
    levels.set(print.at, level);
    if (level === 0 || before === 0) break;
  }
  return levels;
}

describe('over random worlds', () => {
  const world = fc.record({
    seen: recordedWorld,
    hours: fc.uniqueArray(fc.integer({ min: 1, max: HOURS - 1 }), { minLength: 1, maxLength: 8 }),
    change: fc.nat(7),
    first: fc.constantFrom(['A', 'B'], ['A', 'B', 'C'], ['B']),
    later: fc.constantFrom(['B', 'C'], ['C'], ['C', 'B', 'A']),
  });

  it('a composite of one gauge has the return of its prices alone, in windows of any length, and verifies', () => {
    fc.assert(
      fc.property(world, ({ seen, hours, change, first, later }) => {
        const store = openStore(':memory:');
        adopt(store, definitionsWith(first));
        let from = Number.NEGATIVE_INFINITY;
        for (const [i, now] of [...hours.toSorted((a, b) => a - b), HOURS].map(hour).entries()) {
          const arrived = seen.filter((each) => instantOf(each) > from && instantOf(each) <= now);
          keep(store, arrived, now);
          run(store, now);
          if (i === change) adopt(store, definitionsWith(later), now + 1);
          from = now;
        }
        const expected = priceIndex(store);
        const solo = new Map(printsOf(store, 'SOLO').map(({ at, level }) => [at, level]));
        for (const [at, level] of expected) expect(solo.get(at)).toBeCloseTo(level, 6);
        const slow = printsOf(store, 'SLOW');
        const begins = slow[0]?.at ?? 0;
        const scale = (printsOf(store, 'SOLO').findLast(({ at }) => at <= begins)?.level ?? 1000) / 1000;
        for (const { at, level } of slow)
          if (expected.has(at)) expect(level * scale).toBeCloseTo(solo.get(at) ?? 0, 6);
        for (const ticker of ['SLOW', 'SOLO', 'WHOLE', 'OUTER'])
          for (const { level_before, level_after } of stepsOf(store, ticker))
            expect(Math.abs(level_after - level_before)).toBeLessThanOrEqual(1e-9 * level_before);
        const returns = levelsOf(store, 'WHOLE.TR');
        expect(returns).toEqual(levelsOf(store, 'WHOLE').map((level) => expect.closeTo(level, 6)));
        expect(differences(store)).toEqual([]);
        store.close();
      }),
      { numRuns: rounds(8), endOnFailure: true },
    );
  });

  const cents = fc.integer({ min: 1, max: 99 });
  const late = fc.record({
    /** The hour at which it is seen, and how many hours before that it was so. */
    at: fc.integer({ min: 1, max: 8 }),
    by: fc.integer({ min: 1, max: 4 }),
    name: fc.constantFrom('A', 'B', 'C'),
    cents,
    backfills: fc.constantFrom([], ['G'], ['G'], ['G', 'SOLO']),
    every_minutes: fc.constantFrom(undefined, 20, 60),
  });
  const lives = fc.record({
    names: fc.tuple(
      ...['A', 'B', 'C'].map(() =>
        fc.record({
          enters: fc.nat(5),
          cents: fc.array(cents, { minLength: 10, maxLength: 10 }),
          settles: fc.record({
            at: fc.integer({ min: 4, max: 14 }),
            by: fc.nat(3),
            pays: fc.constantFrom(0.4, 1),
          }),
        }),
      ),
    ),
    late: fc.array(late, { minLength: 1, maxLength: 4 }),
  });

  it('what is restated of a gauge enters with its next print, and all verifies', () => {
    fc.assert(
      fc.property(lives, ({ names, late }) => {
        const hand = new HandStore();
        const { store } = hand;
        hand.adopt([totalReturn('SOLO'), composite('SOLO', ['G']), gauge(['A', 'B', 'C'])]);
        for (let i = 0; i < 10; i++) {
          const board: Prices = {};
          for (const [n, { enters, cents, settles }] of names.entries()) {
            const name = 'ABC'[n] as string;
            if (i >= settles.at) board[name] = { pays: settles.pays, since: at(settles.at - settles.by) };
            else if (i >= enters) board[name] = (cents[i] as number) / 100;
          }
          hand.at(at(i), { ...board, X: 0.5 });
          for (const each of late.filter((one) => one.at === i)) {
            const { name, by, cents, backfills, every_minutes } = each;
            if (board[name] === undefined) continue;
            observe(store, name, at(i - by) - 1, cents / 100, at(i) + 1);
            const wish = {
              tickers: backfills,
              from: at(0),
              to: ALL,
              ...(every_minutes && { every_minutes }),
            };
            backfill(store, wish, at(i) + 1, () => {});
          }
        }
        const [first] = store.read((reader) => selectFirstIndexPrints(reader, 'G', 0, ALL));
        const solo = printsOf(store, 'SOLO');
        for (const { level_before, level_after } of stepsOf(store, 'SOLO'))
          expect(Math.abs(level_after - level_before)).toBeLessThanOrEqual(1e-9 * level_before);
        expect(differences(store)).toEqual([]);
        const last = printsOf(store, 'G').at(-1);
        const steps = stepsOf(store, 'G');
        store.close();
        // Where nothing has recalculated the composite, it has gone from the first print of the gauge to the last.
        if (!first || last?.at !== at(9) || last.revision > 0) return;
        if (late.some(({ backfills }) => backfills.length !== 1)) return;
        const links = steps.map((step) => step.level_before / step.level_after);
        const linked = links.reduce((all, each) => all * each, last.level / first.level);
        expect(solo.at(-1)?.level).toBeCloseTo(1000 * linked, 6);
      }),
      { numRuns: rounds(15), endOnFailure: true },
    );
  });
});
