import { describe, expect, it } from 'vitest';
import { backfill } from '../../src/compute/recalculation/backfill.ts';
import { verify } from '../../src/compute/recalculation/verify.ts';
import { planChange } from '../../src/methodology/index-changes.ts';
import { indexDefinition } from '../../src/model/definitions/index-definition.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';
import { listDivisorSteps } from '../../src/store/prints/divisor-steps.ts';
import { listIndexPrints } from '../../src/store/prints/index-prints.ts';
import { ALL, basket, START } from '../helpers/hand-definitions.ts';
import { HandStore, type Prices } from '../helpers/hand-store.ts';

const pair = (names: readonly string[], more: object = {}) =>
  basket('PAIR', names, { interval_minutes: 1440, ...more });

const history = (hand: HandStore) =>
  hand.store.read((reader) => ({
    levels: listIndexPrints(reader, 'PAIR', 0, ALL).map((print) => [
      (print.at - START) / HOUR_MS,
      print.level,
    ]),
    steps: listDivisorSteps(reader, 'PAIR').map((step) => [(step.at - START) / HOUR_MS, step.reason]),
  }));

describe('a changed definition', () => {
  it('[2.8/1] is announced with its effect on the constituents that stay', () => {
    const weighed = (weights: Record<string, number>) =>
      indexDefinition.parse(
        pair([], {
          weighting: { scheme: 'fixed' },
          constituents: Object.entries(weights).map(([name, weight]) => ({
            market_id: `venue_a:${name}`,
            weight,
          })),
        }),
      );
    const versions = {
      inForce: weighed({ A: 1, B: 1, C: 1 }),
      calculated_to: START,
    };
    const told = (weights: Record<string, number>) =>
      planChange(versions, weighed(weights), START).notices.map((each) => each.body);
    expect(told({ A: 1, B: 1 })).toEqual(['PAIR adds 0 constituents and removes 1 constituent.']);
    expect(told({ A: 3, B: 1 })).toEqual([
      'PAIR adds 0 constituents and removes 1 constituent. The weights of the others change too.',
    ]);
    expect(told({ A: 3, B: 1, C: 1 })).toEqual(['PAIR keeps its constituents and changes their weights.']);
  });

  it('[2.8/1] takes effect at the announced instant; until then the earlier one is calculated and shown', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])]);
    hand.at(START, { A: 0.5, B: 0.5, C: 0.5 });
    hand.adopt([pair(['A', 'C'])], [], { withNotice: true });
    const members = () =>
      hand.ask('/indices/{id}/constituents', { id: 'PAIR' })?.data as unknown as { market_id: string }[];
    hand.at(START + 23 * HOUR_MS, { A: 0.6, B: 0.5, C: 0.4 });
    expect(members().map((row) => row.market_id)).toEqual(['venue_a:A', 'venue_a:B']);
    // A day after the adoption 1000 of each at 0.60 are 1200, half of which buys C.
    hand.at(START + 25 * HOUR_MS, { A: 0.6, B: 0.6, C: 0.4 });
    expect(members().map((row) => row.market_id)).toEqual(['venue_a:A', 'venue_a:C']);
    hand.at(START + 26 * HOUR_MS, { A: 0.6, B: 0.1, C: 0.5 });
    const { levels, steps } = history(hand);
    expect(steps).toEqual([
      [0, 'base'],
      [25, 'reconstitution'],
    ]);
    expect(levels).toEqual([
      [0, 1000],
      [23, expect.closeTo(1100, 9)],
      [25, expect.closeTo(1200, 9)],
      [26, expect.closeTo(600 + (600 / 0.4) * 0.5, 9)],
    ]);
    expect(hand.store.read((reader) => verify(reader, []).differences)).toEqual([]);
  });

  it('to a field that is fixed after the first print applies to every instant not yet calculated', () => {
    const hand = new HandStore();
    const gauge = (names: string[], quote_convention: string) =>
      pair(names, { methodology: 'gauge', quote_convention });
    const [before, after] = [gauge(['C'], 'probability'), gauge(['A', 'B'], 'centred')];
    hand.adopt([before]);
    hand.at(START, { A: 0.3, B: 0.3 });
    hand.adopt([after], [], { withNotice: true });
    hand.at(START + HOUR_MS, { A: 0.5, B: 0.5 });
    hand.at(START + 26 * HOUR_MS, { A: 0.6, B: 0.5 });
    expect(history(hand).levels).toEqual([
      [1, 100],
      [26, expect.closeTo(105, 9)],
    ]);
    expect(hand.ask('/announcements')?.data).toEqual([]);
    const wish = { tickers: [], from: 0, to: ALL };
    expect(backfill(hand.store, wish, START + DAY_MS, () => {})).toMatchObject({ restated: 0, added: 0 });
    // A run that comes some hours later applies it to these too.
    const inForce = indexDefinition.parse(before);
    const planned = planChange(
      { inForce, calculated_to: START },
      indexDefinition.parse(after),
      START + DAY_MS,
    );
    expect(planned).toEqual({ takes_effect_at: START + 1, notices: [] });
    expect(hand.store.read((reader) => verify(reader, []).differences)).toEqual([]);
  });

  it('never takes effect if it is replaced first', () => {
    const hand = new HandStore();
    hand.adopt([pair(['A', 'B'])]);
    const board: Prices = { A: 0.5, B: 0.5, C: 0.5 };
    hand.at(START, board);
    hand.adopt([pair(['A', 'C'])], [], { withNotice: true });
    hand.at(START + HOUR_MS, board);
    hand.adopt([pair(['A', 'B'], { name: 'Pair again' })], [], { withNotice: true });
    hand.at(START + 2 * DAY_MS, board);
    expect(history(hand).steps).toEqual([[0, 'base']]);
    expect(hand.store.read((reader) => verify(reader, []).differences)).toEqual([]);
  });
});

it('a withdrawn definition that comes back different is a change, and never applies to the time before', () => {
  const hand = new HandStore();
  hand.adopt([pair(['A', 'B'])]);
  for (const i of [0, 1, 2]) hand.at(START + i * HOUR_MS, { A: 0.5, B: 0.5, C: 0.2 + i / 10 });
  hand.adopt([]);
  hand.adopt([pair(['A', 'C'])], [], { withNotice: true });
  hand.at(START + 3 * HOUR_MS, { A: 0.6, B: 0.5, C: 0.6 });
  hand.at(START + 27 * HOUR_MS, { A: 0.7, B: 0.5, C: 0.6 });
  const before = history(hand);
  expect(before.steps).toEqual([
    [0, 'base'],
    [27, 'reconstitution'],
  ]);
  expect(before.levels.slice(-2)).toEqual([
    [3, expect.closeTo(1100, 9)],
    [27, expect.closeTo(1200, 9)],
  ]);
  const wish = { tickers: [], from: START + HOUR_MS, to: ALL };
  expect(backfill(hand.store, wish, START + 28 * HOUR_MS, () => {})).toMatchObject({ restated: 0, added: 0 });
  expect(history(hand)).toEqual(before);
  expect(hand.store.read((reader) => verify(reader, []).differences)).toEqual([]);
});

describe('a calendar rebalance', () => {
  it('reweights the same constituents at the current level, once', () => {
    const hand = new HandStore();
    const rebalances = { every: 'week', day: 3, time: '12:00' };
    hand.adopt([pair(['A', 'B'], { weighting: { scheme: 'equal', rebalances } })]);
    hand.at(START, { A: 0.5, B: 0.5 });
    // Noon on Wednesday in New York is 16:00 UTC, 28 hours later.
    hand.at(START + 27 * HOUR_MS, { A: 0.6, B: 0.5 });
    hand.at(START + 28 * HOUR_MS, { A: 0.6, B: 0.5 });
    hand.at(START + 29 * HOUR_MS, { A: 0.66, B: 0.5 });
    const { levels, steps } = history(hand);
    expect(steps).toEqual([
      [0, 'base'],
      [28, 'rebalance'],
    ]);
    // 550 of each at 28 hours; then A grows by a tenth.
    expect(levels.slice(-3)).toEqual([
      [27, expect.closeTo(1100, 9)],
      [28, expect.closeTo(1100, 9)],
      [29, expect.closeTo(1155, 9)],
    ]);
    expect(hand.store.read((reader) => verify(reader, []).differences)).toEqual([]);
  });
});
