import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { indexDefinition } from '../../../src/model/definitions/index-definition.ts';
import { book, define, hour, idOf, mid, paid, START, type Worked, work } from '../contracts.ts';

const at = (i: number, prices: Record<string, number>) =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, mid(price, hour(i))]));

const shares = (worked: Worked | undefined, ...names: string[]) =>
  names.map((name) => worked?.line(name)?.weight);

function steady(worked: readonly Worked[]): void {
  for (const { steps } of worked)
    for (const step of steps)
      expect(Math.abs(step.level_after - step.level_before)).toBeLessThanOrEqual(1e-9 * step.level_before);
}

describe('a basket by value', () => {
  it('opens at the base level with value shares as its weights', () => {
    const [open] = work(define(['A', 'B']), [at(0, { A: 0.5, B: 0.2 })]);
    expect(open?.level).toBe(1000);
    expect(open?.line('A')?.quantity).toBe(1000);
    expect(open?.line('B')?.quantity).toBe(2500);
    expect(shares(open, 'A', 'B')).toEqual([0.5, 0.5]);
    expect(open?.steps).toMatchObject([{ reason: 'base', market_ids: [idOf('A'), idOf('B')] }]);
    expect(open?.print).toMatchObject({ at: hour(0), divisor: 1, cash: 0, coverage: 1 });
  });

  it('follows the value of the quantities held, and weights drift with the marks', () => {
    const [, later] = work(define({ A: 3, B: 1 }), [at(0, { A: 0.5, B: 0.2 }), at(1, { A: 0.6, B: 0.1 })]);
    // n = 1500 and 1250: 1500·0.6 + 1250·0.1 = 1025
    expect(later?.level).toBeCloseTo(1025, 9);
    expect(shares(later, 'A', 'B')).toEqual([expect.closeTo(900 / 1025, 12), expect.closeTo(125 / 1025, 12)]);
  });

  it('does not print before its base', () => {
    const definition = { ...define(['A']), base_at: new Date(hour(1)).toISOString() };
    const worked = work(definition, [at(0, { A: 0.5 }), at(1, { A: 0.4 })]);
    expect(worked[0]?.print).toBeUndefined();
    expect(worked[1]?.level).toBe(1000);
  });

  it('opens later when no constituent has a good mark at the base', () => {
    const worked = work(define(['A']), [{ A: book({ bid: 0.5 }, hour(0)) }, {}, at(2, { A: 0.5 })]);
    expect(worked.map((each) => each.print?.at)).toEqual([undefined, undefined, hour(2)]);
  });

  it('[2.4.2/5] does not drift when a leg bounces between 1 and 2 cents', () => {
    const boards = Array.from({ length: 201 }, (_none, i) => at(i, { A: 0.5, B: i % 2 === 0 ? 0.01 : 0.02 }));
    const worked = work(define(['A', 'B']), boards);
    expect(worked[199]?.level).toBeCloseTo(1500, 9);
    expect(worked[200]?.level).toBeCloseTo(1000, 9);
  });

  it('prints only when something is newer', () => {
    const same = at(0, { A: 0.5, B: 0.2 });
    const worked = work(define(['A', 'B']), [same, same, { ...same, B: mid(0.2, hour(2)) }]);
    expect(worked.map((each) => each.print !== undefined)).toEqual([true, false, true]);
  });
});

describe('a basket by quantity', () => {
  it('holds the weights as quantities and scales them to the base level', () => {
    const worked = work(define({ A: 3, B: 1 }, { by: 'quantity' }), [
      at(0, { A: 0.5, B: 0.1 }),
      at(1, { A: 0.4, B: 0.8 }),
    ]);
    // 3·0.5 + 1·0.1 = 1.6 stands for 1000; 3·0.4 + 0.8 = 2.0
    expect(worked[0]?.print?.divisor).toBeCloseTo(0.0016, 15);
    expect(worked[0]?.line('A')?.weight).toBeCloseTo(1.5 / 1.6, 12);
    expect(worked[1]?.level).toBeCloseTo(1250, 9);
    expect(worked[1]?.line('A')?.quantity).toBe(3);
  });

  it('admits a constituent with its own quantity', () => {
    const worked = work(define({ A: 3, B: 1 }, { by: 'quantity' }), [
      at(0, { A: 0.5 }),
      at(1, { A: 0.6, B: 0.2 }),
      at(2, { A: 0.6, B: 0.4 }),
    ]);
    expect(worked[1]?.level).toBeCloseTo(1200, 9);
    expect(worked[1]?.line('B')?.quantity).toBe(1);
    // 3·0.6 + 0.2 = 2.0 stands for 1200; then 2.2
    expect(worked[2]?.level).toBeCloseTo(1320, 9);
    steady(worked);
  });

  it('admits by its own quantity also what comes when all others have settled', () => {
    const worked = work(define(['A', 'B', 'C'], { by: 'quantity' }), [
      at(0, { A: 0.5 }),
      { A: paid(1, hour(1)) },
      at(2, { B: 0.25 }),
      at(3, { B: 0.25, C: 0.5 }),
      at(4, { B: 0.25, C: 0.6 }),
    ]);
    // 0.5 stands for 1000, 1 of cash for 2000, then one B at 0.25, then one of each at 0.75; C rises to 0.6: 0.85.
    expect(worked[2]?.print?.divisor).toBeCloseTo(0.25 / 2000, 15);
    expect(shares(worked[3], 'B', 'C')).toEqual([expect.closeTo(1 / 3, 12), expect.closeTo(2 / 3, 12)]);
    expect(worked[4]?.level).toBeCloseTo((2000 * 0.85) / 0.75, 9);
    steady(worked);
  });
});

describe.each(['value', 'quantity'] as const)(
  'a basket by %s of the least and greatest weights allowed',
  (by) => {
    it.each([
      [1e-15, 1e-15],
      [1e-15, 1e15],
      [1e15, 1e-15],
      [1e15, 1e15],
    ])('%s and %s is a number at any base level', (A, B) => {
      for (const base_level of [1e-15, 1e15]) {
        const worked = work(define({ A, B }, { by, base_level }), [
          at(0, { A: 0.0001, B: 0.9999 }),
          at(1, { A: 0.9999, B: 0.0001 }),
          { ...at(2, { A: 0.5 }), B: paid(1, hour(2)) },
        ]);
        expect(worked.map(({ level }) => level)).not.toContain(undefined);
        for (const { level, print } of worked)
          for (const value of [level, print?.divisor]) {
            expect(value).toBeGreaterThan(0);
            expect(value).toBeLessThan(Infinity);
          }
        steady(worked);
      }
    });
  },
);

describe('admission', () => {
  it('of a constituent that is nearly everything does not move the level', () => {
    const worked = work(define({ A: 0.001, B: 1e15 }), [
      { A: mid(0.5, hour(0)) },
      { A: mid(0.5, hour(1)), B: mid(0.2, hour(1)) },
      { A: mid(0.5, hour(2)), B: mid(0.4, hour(2)) },
    ]);
    expect(worked.map(({ level }) => level)).toEqual(
      [1000, 1000, 2000].map((each) => expect.closeTo(each, 6)),
    );
  });

  it('[2.4.1/4] a constituent not priced yet has weight 0 and is not excluded', () => {
    const [open] = work(define(['A', 'B']), [{ ...at(0, { A: 0.5 }), B: book({ ask: 0.3 }, hour(0)) }]);
    expect(open?.line('B')).toEqual({ market_id: idOf('B'), state: 'unpriced', weight: 0, quantity: 0 });
    expect(open?.line('A')?.weight).toBe(1);
  });

  it('happens at the target share without moving the level; the others keep their proportions', () => {
    const worked = work(define({ A: 1, B: 1, C: 2 }), [
      at(0, { A: 0.5, B: 0.2 }),
      at(1, { A: 0.6, B: 0.2, C: 0.4 }),
      at(2, { A: 0.6, B: 0.2, C: 0.5 }),
    ]);
    expect(worked[1]?.level).toBeCloseTo(1100, 9);
    expect(shares(worked[1], 'A', 'B', 'C')).toEqual([
      expect.closeTo(3 / 11, 12),
      expect.closeTo(2.5 / 11, 12),
      expect.closeTo(0.5, 12),
    ]);
    expect(worked[1]?.steps).toMatchObject([{ reason: 'admission', market_ids: [idOf('C')] }]);
    // half of the index gains a quarter
    expect(worked[2]?.level).toBeCloseTo(1100 * 1.125, 9);
    steady(worked);
  });

  it('of two at once gives each its share', () => {
    const worked = work(define(['A', 'B', 'C']), [at(0, { A: 0.5 }), at(1, { A: 0.5, B: 0.1, C: 0.9 })]);
    for (const weight of shares(worked[1], 'A', 'B', 'C')) expect(weight).toBeCloseTo(1 / 3, 12);
    steady(worked);
  });

  it('leaves a staged constituent unpriced', () => {
    const [open] = work(define(['A', 'B'], { staged: ['B'] }), [at(0, { A: 0.5, B: 0.2 })]);
    expect(open?.print?.lines.map((line) => line.market_id)).toEqual([idOf('A')]);
  });
});

describe('a constituent that its editor deletes', () => {
  const dead = (i: number) => ({ A: mid(0.6, hour(i)), B: book({ bid: 0.01 }, hour(i)) });
  const deleting = (price_cents: number, i: number, names = ['A', 'B']) => ({
    ...define(names),
    deletions: [{ market_id: idOf('B'), at: new Date(hour(i)).toISOString(), price_cents }],
  });

  it('enters at the stated price once, and leaves by a step of its own that does not move the level', () => {
    const worked = work(deleting(5, 2), [at(0, { A: 0.5, B: 0.2 }), dead(1), dead(2), dead(3)]);
    expect(worked.slice(0, 3).map((each) => each.level)).toEqual([1000, 1100, 725]);
    expect(worked[3]?.level).toBeCloseTo(725, 9);
    expect(worked[2]?.steps).toMatchObject([
      { reason: 'deletion', market_ids: [idOf('B')], divisor_after: expect.closeTo(600 / 725, 12) },
    ]);
    const stated = {
      market_id: idOf('B'),
      state: 'settled',
      basis: 'stated',
      price: 0.05,
      observed_at: hour(2),
    };
    expect(worked[2]?.print?.lines.at(-1)).toMatchObject(stated);
    expect(worked[2]?.print?.coverage).toBe(1);
    expect(worked[3]?.line('B')).toBeUndefined();
    expect(worked[3]?.steps).toEqual([]);
    steady(worked);
  });

  it('keeps the payoff if it had settled by then, and stays out when it trades again', () => {
    const settled = work(deleting(5, 2), [
      at(0, { A: 0.5, B: 0.2 }),
      { ...at(1, { A: 0.5 }), B: paid(1, hour(1)) },
      at(2, { A: 0.5 }),
    ]);
    expect(settled.map((each) => each.level)).toEqual([1000, 3000, 3000]);
    const again = work(deleting(5, 1), [at(0, { A: 0.5, B: 0.2 }), dead(1), at(2, { A: 0.6, B: 0.9 })]);
    expect(again[2]?.level).toBeCloseTo(725, 9);
    expect(again[2]?.line('B')).toBeUndefined();
  });

  it('leaves after a settlement of the same instant, each by its own step', () => {
    const worked = work(deleting(5, 1, ['A', 'B', 'C']), [
      at(0, { A: 0.5, B: 0.2, C: 0.5 }),
      { ...at(1, { A: 0.5 }), B: book({ bid: 0.01 }, hour(1)), C: paid(1, hour(1)) },
      at(2, { A: 0.6 }),
    ]);
    // thirds: 333.33 stays, 333.33 loses three quarters, 333.33 doubles
    expect(worked[1]?.level).toBeCloseTo(1000 / 3 + 1000 / 12 + 2000 / 3, 9);
    expect(worked[1]?.steps.map((step) => step.reason)).toEqual(['settlement', 'deletion']);
    expect(worked[2]?.level).toBeCloseTo(1.2 * (worked[1]?.level ?? 0), 9);
    steady(worked);
  });

  it('matches the worked example of the methodology document', () => {
    const level = work(deleting(5, 1), [at(0, { A: 0.5, B: 0.2 }), dead(1)])[1]?.level;
    const document = readFileSync(join(import.meta.dirname, '../../../data/methodology.md'), 'utf8');
    expect(document.replace(/\s+/g, ' ')).toContain(`L = 1000·0.60 + 2500·0.05 = ${level};`);
  });

  it('must be a constituent, once, after the base', () => {
    const refused = (deletions: object[]) =>
      indexDefinition
        .safeParse({ ...JSON.parse(JSON.stringify(define(['A', 'B']))), deletions })
        .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    const after = new Date(hour(1)).toISOString();
    expect(refused([{ market_id: idOf('X'), at: after, price_cents: 5 }])).toEqual([
      'deletions.0: must name a constituent, got venue_a:X',
    ]);
    expect(refused([{ market_id: idOf('A'), at: new Date(START).toISOString(), price_cents: 5 }])).toEqual([
      'deletions.0.at: must be later than base_at',
    ]);
    const twice = { market_id: idOf('A'), at: after, price_cents: 5 };
    expect(refused([twice, twice])).toEqual(['deletions: names venue_a:A twice']);
    expect(refused([{ ...twice, price_cents: 101 }])).toHaveLength(1);
  });
});

describe('a failed book check', () => {
  const failing = { ...at(1, { A: 0.6 }), B: book({ bid: 0.01 }, hour(1)) };

  it('[2.4.1/3] gives weight 0 and a reason, does not move the level, and the others sum to 1', () => {
    const worked = work(define(['A', 'B', 'C']), [
      at(0, { A: 0.5, B: 0.2, C: 0.5 }),
      { ...failing, ...at(1, { C: 0.5 }) },
    ]);
    expect(worked[1]?.line('B')).toMatchObject({
      state: 'excluded',
      weight: 0,
      exclude_reason: 'one_sided_book',
      basis: 'held',
      price: 0.2,
      observed_at: hour(0),
    });
    // A third of the index gained a fifth; the held third did not move.
    expect(worked[1]?.level).toBeCloseTo(1000 * (1 + 0.2 / 3), 9);
    expect(worked[1]?.print?.coverage).toBeCloseTo((0.4 + 1 / 3) / (0.4 + 2 / 3), 12);
    expect(shares(worked[1], 'A', 'C')).toEqual([
      expect.closeTo(0.4 / (0.4 + 1 / 3), 12),
      expect.closeTo(1 / 3 / (0.4 + 1 / 3), 12),
    ]);
  });

  it('lets the whole move since enter at once when the book is good again', () => {
    const worked = work(define(['A', 'B']), [
      at(0, { A: 0.5, B: 0.2 }),
      { A: mid(0.5, hour(1)), B: book({ bid: 0.01 }, hour(1)) },
      at(2, { A: 0.5, B: 0.1 }),
    ]);
    expect(worked[1]?.level).toBeCloseTo(1000, 9);
    expect(worked[2]?.level).toBeCloseTo(750, 9);
    expect(worked[2]?.line('B')).toMatchObject({ state: 'included', basis: 'mid' });
  });

  it('loses and hides nothing when the held constituent settles', () => {
    const worked = work(define(['A', 'B']), [
      at(0, { A: 0.5, B: 0.2 }),
      { A: mid(0.5, hour(1)), B: book({ bid: 0.01 }, hour(1)) },
      { A: mid(0.5, hour(2)), B: paid(0, hour(2)) },
    ]);
    expect(worked[2]?.level).toBeCloseTo(500, 9);
  });

  it('of every constituent gives no print and all weights 0', () => {
    const gone = { A: book({}, hour(1)), B: book({ bid: 0.2 }, hour(1)) };
    const worked = work(define(['A', 'B']), [at(0, { A: 0.5, B: 0.2 }), gone, at(2, { A: 0.6, B: 0.2 })]);
    expect(worked[1]?.print).toBeUndefined();
    expect(worked[1]?.level).toBe(1000);
    expect(shares(worked[1], 'A', 'B')).toEqual([0, 0]);
    expect(worked[2]?.print?.level).toBeCloseTo(1100, 9);
  });

  it('causes one print for the change of state', () => {
    const half = (i: number) => ({ A: mid(0.5, hour(0)), B: book({ bid: 0.1 + i / 100 }, hour(i)) });
    const worked = work(define(['A', 'B']), [at(0, { A: 0.5, B: 0.2 }), half(1), half(2)]);
    expect(worked.map((each) => each.print !== undefined)).toEqual([true, true, false]);
  });

  it('is also how a constituent is held that the catalog has lost sight of', () => {
    const worked = work(define(['A', 'B']), [at(0, { A: 0.5, B: 0.2 }), at(1, { A: 0.5 })]);
    expect(worked[1]?.line('B')).toMatchObject({ state: 'excluded', exclude_reason: 'no_book' });
    expect(worked[1]?.level).toBeCloseTo(1000, 9);
  });
});
