import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constituentReturns } from '../../src/methodology/constituent-returns.ts';
import type { IndexPrint } from '../../src/model/print.ts';
import { book, define, hour, mid, paid, type Worked, work } from './contracts.ts';
import { changesOf, type World, world } from './random-worlds.ts';

const at = (i: number, prices: Record<string, number>) =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, mid(price, hour(i))]));

const printsOf = (worked: readonly Worked[]): IndexPrint[] => worked.flatMap((each) => each.print ?? []);
const groupOf = (id: string) => id.slice('venue_a:'.length)[0] as string;
const basket = 'basket';

describe('constituentReturns', () => {
  it("[2.4/5] give weight, point change and change of the group's own value, worked by hand", () => {
    const worked = work(define(['A1', 'A2', 'B1']), [
      at(0, { A1: 0.5, A2: 0.25, B1: 0.5 }),
      at(1, { A1: 0.6, A2: 0.25, B1: 0.45 }),
    ]);
    // A third of 1000 each: +20 % of A1, nothing of A2, -10 % of B1.
    expect(constituentReturns(printsOf(worked), groupOf, basket)).toEqual([
      {
        group: 'A',
        weight: expect.closeTo((0.4 + 1 / 3) / (0.4 + 1 / 3 + 0.3), 12),
        point_change: expect.closeTo(200 / 3, 9),
        percent_change: expect.closeTo(10, 9),
      },
      {
        group: 'B',
        weight: expect.closeTo(0.3 / (0.4 + 1 / 3 + 0.3), 12),
        point_change: expect.closeTo(-100 / 3, 9),
        percent_change: expect.closeTo(-10, 9),
      },
    ]);
  });

  it('keep the change of a group that settled since the close, at weight 0', () => {
    const worked = work(define(['A', 'B']), [
      at(0, { A: 0.5, B: 0.2 }),
      { A: paid(1, hour(1)), B: mid(0.2, hour(1)) },
      { A: paid(1, hour(1)), B: mid(0.3, hour(2)) },
    ]);
    expect(constituentReturns(printsOf(worked), groupOf, basket)).toMatchObject([
      { group: 'B', weight: 1, point_change: expect.closeTo(750, 9) },
      { group: 'A', weight: 0, point_change: expect.closeTo(500, 9), percent_change: expect.closeTo(100, 9) },
    ]);
  });

  it('give the return of a group, not what a payoff or a rebalance put into it', () => {
    const worked = work(define(['A', 'B']), [
      at(0, { A: 0.8, B: 0.2 }),
      { A: paid(1, hour(1)), B: mid(0.1, hour(1)) },
      { A: paid(1, hour(1)), B: mid(0.09, hour(2)) },
    ]);
    // B falls by half; then it holds the 625 that A paid too, and falls by a tenth of 875.
    expect(constituentReturns(printsOf(worked), groupOf, basket)).toMatchObject([
      { group: 'B', point_change: expect.closeTo(-337.5, 9), percent_change: expect.closeTo(-55, 9) },
      { group: 'A', point_change: expect.closeTo(125, 9), percent_change: expect.closeTo(25, 9) },
    ]);
  });

  it('leave out a constituent that settled in the closing print itself', () => {
    const worked = work(define(['B1', 'B2']), [
      at(0, { B1: 0.5, B2: 0.2 }),
      { B1: paid(1, hour(1)), B2: mid(0.2, hour(1)) },
      { B2: mid(0.3, hour(2)) },
    ]);
    expect(constituentReturns(printsOf(worked).slice(1), groupOf, basket)).toEqual([
      { group: 'B', weight: 1, point_change: expect.closeTo(750, 9), percent_change: expect.closeTo(50, 9) },
    ]);
  });

  it('leave out a constituent that was admitted with a mark but never bought, and has left', () => {
    const [close] = printsOf(work(define(['A']), [at(0, { A: 0.5 })])) as [IndexPrint];
    const unbought = {
      market_id: 'venue_a:B',
      state: 'unpriced',
      weight: 0,
      quantity: 0,
      price: 0.5,
    } as const;
    const beside = { ...close, lines: [...close.lines, unbought] };
    const returns = constituentReturns([beside, { ...beside, at: hour(1) }, close], groupOf, basket);
    expect(returns.map((each) => each.group)).toEqual(['A']);
  });

  it('include the whole change of a held constituent that comes back', () => {
    const worked = work(define(['A', 'B']), [
      at(0, { A: 0.5, B: 0.2 }),
      { A: mid(0.5, hour(1)), B: book({ bid: 0.01 }, hour(1)) },
      at(2, { A: 0.5, B: 0.1 }),
    ]);
    const returns = constituentReturns(printsOf(worked), groupOf, basket);
    expect(returns.find((each) => each.group === 'B')?.point_change).toBeCloseTo(-250, 9);
  });

  it('of a gauge are in units of the gauge, over the names that have a price', () => {
    const worked = work(define({ A: 3, B: 1, B2: 1 }, { family: 'probability' }), [
      at(0, { A: 0.5, B: 0.9 }),
      at(1, { A: 0.6, B: 0.9 }),
    ]);
    expect(constituentReturns(printsOf(worked), groupOf, 'gauge')).toEqual([
      {
        group: 'A',
        weight: expect.closeTo(0.75, 12),
        point_change: expect.closeTo(7.5, 9),
        percent_change: expect.closeTo(20, 9),
      },
      { group: 'B', weight: expect.closeTo(0.25, 12), point_change: 0, percent_change: 0 },
    ]);
  });

  it('sum to the change of the level, and no group loses more than all of it, through whatever happens', () => {
    fc.assert(
      fc.property(world, (each: World) => {
        const prints = printsOf(work(each.definition, each.boards, changesOf(each)));
        const [first] = prints;
        const last = prints.at(-1);
        if (!first || !last) return;
        const returns = constituentReturns(prints, groupOf, basket);
        for (const { percent_change = 0 } of returns)
          expect(percent_change).toBeGreaterThanOrEqual(-100 - 1e-9);
        const total = returns.reduce((sum, row) => sum + row.point_change, 0);
        const largest = Math.max(...prints.map((print) => print.level));
        expect(Math.abs(total - (last.level - first.level))).toBeLessThanOrEqual(1e-9 * largest);
      }),
      { numRuns: 300 },
    );
  });

  it('are empty without a print; the close alone gives weights and no change', () => {
    expect(constituentReturns([], groupOf, basket)).toEqual([]);
    const close = printsOf(work(define(['A']), [at(0, { A: 0.5 })]));
    expect(constituentReturns(close, groupOf, basket)).toEqual([
      { group: 'A', weight: 1, point_change: 0, percent_change: 0 },
    ]);
  });
});
