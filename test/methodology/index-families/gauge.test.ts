import { describe, expect, it } from 'vitest';
import type { IndexDefinition } from '../../../src/model/definitions/index-definition.ts';
import { book, define, hour, idOf, mid, paid, work } from '../contracts.ts';

const at = (i: number, prices: Record<string, number>) =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, mid(price, hour(i))]));

const gauge = (weights: Record<string, number> | string[]) => define(weights, { family: 'probability' });

describe('a gauge', () => {
  it('is the weighted mean of the marks, as a probability or centred on 100', () => {
    const board = at(0, { A: 0.5, B: 0.9 });
    expect(work(gauge({ A: 3, B: 1 }), [board])[0]?.level).toBeCloseTo(60, 12);
    expect(work(define({ A: 3, B: 1 }, { family: 'centred' }), [board])[0]?.level).toBeCloseTo(110, 12);
    expect(work(define(['A', 'B'], { family: 'centred' }), [at(0, { A: 0, B: 0 })])[0]?.level).toBe(50);
  });

  it("[2.4.1/2] publishes the definition's weights over the included constituents", () => {
    const [open] = work(gauge({ A: 3, B: 1, C: 4 }), [at(0, { A: 0.5, B: 0.9 })]);
    expect(open?.line('A')?.weight).toBeCloseTo(0.75, 12);
    expect(open?.line('B')?.weight).toBeCloseTo(0.25, 12);
    expect(open?.line('C')).toMatchObject({ state: 'unpriced', weight: 0 });
  });

  it('[2.4.1/3] counts a constituent with a failing book at its last good mark, with weight 0 and a reason', () => {
    const worked = work(gauge({ A: 3, B: 1 }), [
      at(0, { A: 0.5, B: 0.9 }),
      { A: mid(0.6, hour(1)), B: book({ bid: 0.01 }, hour(1)) },
      at(2, { A: 0.6, B: 0.1 }),
    ]);
    expect(worked.map((each) => each.level)).toEqual(
      [60, 67.5, 47.5].map((each) => expect.closeTo(each, 12)),
    );
    expect(worked[1]?.line('B')).toMatchObject({
      state: 'excluded',
      weight: 0,
      exclude_reason: 'one_sided_book',
      basis: 'held',
    });
    expect(worked[1]?.line('A')?.weight).toBe(1);
    expect(worked[1]?.print?.coverage).toBeCloseTo(0.75, 12);
  });

  it.each([0, 0.5, 1])('keeps a settled constituent at its payoff of %s', (payout) => {
    const end = { A: mid(0.5, hour(0)), B: paid(payout, hour(1)) };
    const worked = work(gauge({ A: 3, B: 1 }), [
      at(0, { A: 0.5, B: 0.9 }),
      end,
      end,
      { ...end, A: mid(0.7, hour(3)) },
    ]);
    expect(worked.map((each) => each.print?.level)).toEqual([
      expect.closeTo(60, 12),
      expect.closeTo(37.5 + 25 * payout, 12),
      undefined,
      expect.closeTo(52.5 + 25 * payout, 12),
    ]);
  });

  it('holds a payoff that was taken back until the book is good', () => {
    const worked = work(gauge({ A: 3, B: 1 }), [
      at(0, { A: 0.5, B: 0.9 }),
      { A: mid(0.5, hour(0)), B: paid(0, hour(1)) },
      { A: mid(0.6, hour(2)), B: book({ bid: 0.01 }, hour(2)) },
      at(3, { A: 0.6, B: 0.8 }),
    ]);
    const levels = [60, 37.5, 45, 65].map((each) => expect.closeTo(each, 12));
    expect(worked.map((each) => each.print?.level)).toEqual(levels);
    expect(worked[2]?.line('B')).toMatchObject({ state: 'excluded', weight: 0, basis: 'held', price: 0 });
  });

  it('prints a settlement at the very price of before, dated before', () => {
    const open = at(1, { A: 0.5, B: 0.5 });
    const worked = work(gauge(['A', 'B']), [open, { ...open, A: paid(0.5, hour(0)) }]);
    expect(worked[1]?.print?.lines[0]).toMatchObject({ basis: 'settlement', price: 0.5 });
  });

  it('brings in a constituent that settles before it ever had a good mark', () => {
    const settled = { A: mid(0.5, hour(1)), B: paid(1, hour(1)) };
    expect(work(gauge(['A', 'B']), [at(0, { A: 0.5 }), settled]).map((each) => each.level)).toEqual([50, 75]);
  });

  it('keeps a deleted constituent at its stated price, whatever its book does', () => {
    const deletions = [{ market_id: idOf('B'), at: new Date(hour(1)).toISOString(), price_cents: 10 }];
    const worked = work({ ...gauge({ A: 3, B: 1 }), deletions } as IndexDefinition, [
      at(0, { A: 0.5, B: 0.9 }),
      { A: mid(0.5, hour(0)), B: book({ bid: 0.01 }, hour(1)) },
      at(2, { A: 0.5, B: 0.8 }),
    ]);
    expect(worked.map((each) => each.level)).toEqual([60, 40, 40]);
    expect(worked[1]?.line('B')).toMatchObject({ state: 'included', basis: 'stated', price: 0.1 });
  });

  it('does not bring in a deleted constituent that never had a good mark', () => {
    const deletions = [{ market_id: idOf('B'), at: new Date(hour(1)).toISOString(), price_cents: 100 }];
    const worked = work({ ...gauge({ A: 3, B: 1 }), deletions } as IndexDefinition, [
      { A: mid(0.5, hour(0)), B: book({ bid: 0.01 }, hour(0)) },
      { A: mid(0.6, hour(1)), B: mid(0.9, hour(1)) },
      at(2, { A: 0.7, B: 0.8 }),
    ]);
    expect(worked.map((each) => each.level)).toEqual([50, 60, 70].map((each) => expect.closeTo(each, 12)));
    expect(worked[1]?.line('B')).toMatchObject({ state: 'unpriced', weight: 0 });
    expect(worked.flatMap((each) => each.steps.map((step) => step.reason))).toEqual(['base']);
  });

  it('moves when a constituent enters later, and the ledger says by how much at the marks of then', () => {
    const worked = work(gauge({ A: 1, B: 1 }), [at(0, { A: 0.5 }), at(1, { A: 0.6, B: 0.8 })]);
    expect(worked[0]?.steps).toMatchObject([{ reason: 'base', level_before: 50, level_after: 50 }]);
    expect(worked[1]?.level).toBeCloseTo(70, 12);
    expect(worked[1]?.steps).toEqual([
      expect.objectContaining({
        reason: 'admission',
        market_ids: [idOf('B')],
        level_before: expect.closeTo(60, 12),
        level_after: expect.closeTo(70, 12),
      }),
    ]);
  });

  it('records a changed definition as a step, from the old weights to the new at the same marks', () => {
    const worked = work(
      gauge({ A: 1, B: 1 }),
      [at(0, { A: 0.5, B: 0.7 }), at(1, { A: 0.4, B: 0.8, C: 0.2 }), at(1, { A: 0.4, B: 0.8, C: 0.2 })],
      { 1: gauge({ A: 1, C: 1 }), 2: gauge({ A: 3, C: 1 }) },
    );
    expect(worked[1]?.steps).toMatchObject([
      { reason: 'reconstitution', level_before: expect.closeTo(60, 12), level_after: expect.closeTo(30, 12) },
    ]);
    expect(worked[1]?.line('B')).toBeUndefined();
    // Nothing is newer at the third instant, yet the weights are.
    expect(worked[2]?.print?.level).toBeCloseTo(35, 12);
  });

  it('applies a changed definition once one of its constituents has a good mark, and the old one until then', () => {
    const after = gauge({ A: 1 });
    const one = (i: number) => ({ A: book({ bid: 0.01 }, hour(i)) });
    const worked = work(
      gauge({ A: 1, B: 1, C: 2 }),
      [
        at(0, { A: 0.5, B: 0.7 }),
        { ...one(1), ...at(1, { B: 0.8, C: 0.1 }) },
        { ...one(2), B: mid(0.8, hour(1)) },
        at(3, { A: 0.6, B: 0.8 }),
      ],
      { 1: after },
    );
    // Until then none is admitted, nor anything printed without something newer.
    expect(worked.map((each) => [each.print?.level, ...each.steps.map((step) => step.reason)])).toEqual([
      [60, 'base'],
      [expect.closeTo(65, 12)],
      [undefined],
      [expect.closeTo(60, 12), 'reconstitution'],
    ]);
    expect(worked[1]?.line('C')).toMatchObject({ state: 'unpriced' });
    expect(worked[3]?.steps).toMatchObject([{ level_before: expect.closeTo(70, 12) }]);
  });

  it('opens at its base', () => {
    const definition = { ...gauge(['A']), base_at: new Date(hour(1)).toISOString() } as IndexDefinition;
    const worked = work(definition, [at(0, { A: 0.5 }), at(1, { A: 0.6 })]);
    expect(worked.map((each) => each.print?.level)).toEqual([undefined, 60]);
  });

  it('does not print when nothing is newer, nor while every constituent is held', () => {
    const board = at(0, { A: 0.5, B: 0.9 });
    const none = { A: book({}, hour(1)), B: book({}, hour(1)) };
    const worked = work(gauge(['A', 'B']), [board, board, none, at(3, { A: 0.5, B: 0.9 })]);
    expect(worked.map((each) => each.print !== undefined)).toEqual([true, false, false, true]);
    expect(worked[2]?.level).toBeCloseTo(70, 12);
  });

  it('opens only once a constituent has a good mark', () => {
    const worked = work(gauge(['A']), [{}, { A: book({ bid: 0.4 }, hour(1)) }, at(2, { A: 0.5 })]);
    expect(worked.map((each) => each.print?.at)).toEqual([undefined, undefined, hour(2)]);
  });
});
