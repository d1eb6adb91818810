import { describe, expect, it } from 'vitest';
import { allocate } from '../../../src/methodology/index-families/allocation.ts';
import { book, define, hour, idOf, mid, paid, type Worked, work } from '../contracts.ts';

const at = (i: number, prices: Record<string, number>) =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, mid(price, hour(i))]));

function steady(worked: readonly Worked[]): void {
  for (const { steps } of worked)
    for (const step of steps)
      expect(Math.abs(step.level_after - step.level_before)).toBeLessThanOrEqual(1e-9 * step.level_before);
}

describe('settlement', () => {
  it.each([
    ['1', 1, 1500],
    ['0', 0, 500],
    ['0.5', 0.5, 1000],
    ['a void share', 0.37, 870],
  ] as const)(
    'at %s enters the level once, at its own print, and leaves without moving it',
    (_name, payout, level) => {
      const worked = work(define(['A', 'B']), [
        at(0, { A: 0.5, B: 0.2 }),
        { A: paid(payout, hour(1)), B: mid(0.2, hour(0)) },
        { A: paid(payout, hour(1)), B: mid(0.3, hour(2)) },
      ]);
      expect(worked[1]?.print?.level).toBeCloseTo(level, 9);
      expect(worked[1]?.print?.lines.find((line) => line.market_id === idOf('A'))).toMatchObject({
        state: 'settled',
        basis: 'settlement',
        price: payout,
        weight: 0,
      });
      expect(worked[1]?.line('A')).toBeUndefined();
      expect(worked[1]?.line('B')?.weight).toBe(1);
      // All of it follows the survivor from then on.
      expect(worked[2]?.level).toBeCloseTo(level * 1.5, 9);
      steady(worked);
    },
  );

  it('spreads the cash pro rata over live constituents; a held one keeps its value and takes none', () => {
    const worked = work(define(['A', 'B', 'C']), [
      at(0, { A: 0.5, B: 0.2, C: 0.5 }),
      { A: paid(1, hour(1)), B: mid(0.2, hour(1)), C: book({ bid: 0.5 }, hour(1)) },
      { B: mid(0.4, hour(2)), C: mid(0.5, hour(2)) },
    ]);
    // 2/3 + 1/3 + 1/3 of 1000; B then stands for 1000, the held C still for 333.
    expect(worked[1]?.level).toBeCloseTo(4000 / 3, 9);
    expect(worked[1]?.print?.coverage).toBeCloseTo(0.75, 12);
    expect(worked[2]?.level).toBeCloseTo(2000 + 1000 / 3, 9);
    steady(worked);
  });

  it('gives no cash to a constituent under half a cent, but does at exactly half a cent', () => {
    const boards = (small: number) => [
      at(0, { A: 0.5, B: 0.2, C: small }),
      { A: paid(1, hour(1)), B: mid(0.2, hour(1)), C: mid(small, hour(1)) },
    ];
    const weightOfC = (small: number) => {
      const worked = work(define(['A', 'B', 'C'], { by: 'quantity' }), boards(small));
      steady(worked);
      return worked[1]?.line('C')?.weight ?? Number.NaN;
    };
    // By quantity 1 each: B 0.2, C small, cash 1.
    expect(weightOfC(0.005)).toBeCloseTo(0.005 / 0.205, 12);
    // A bid of 0.1 and an ask of 0.9 cents: their binary mid is less than 0.005.
    expect(weightOfC((0.001 + 0.009) / 2)).toBeCloseTo(0.005 / 0.205, 12);
    expect(weightOfC(0.004)).toBeCloseTo(0.004 / 1.204, 12);
  });

  it('keeps the cash at face until the next admission when no constituent can take it', () => {
    const worked = work(define(['A', 'B', 'C']), [
      at(0, { A: 0.5, B: 0.2 }),
      { A: paid(1, hour(1)), B: book({ bid: 0.2 }, hour(1)) },
      { B: mid(0.4, hour(2)) },
      at(3, { B: 0.4, C: 0.5 }),
      at(4, { B: 0.4, C: 0.6 }),
    ]);
    expect(worked.map((each) => each.level)).toEqual(
      [1000, 1500, 2000, 2000, 2200].map((each) => expect.closeTo(each, 9)),
    );
    expect(worked[1]?.print).toMatchObject({ cash: 1000, coverage: 0 });
    expect(worked[2]?.print).toMatchObject({ cash: 1000, coverage: 0.5 });
    // The cash is spent on both alike; C has its target share of one half.
    expect(worked[3]?.print?.cash).toBe(0);
    expect(worked[3]?.line('C')?.weight).toBeCloseTo(0.5, 12);
    steady(worked);
  });

  it('is reinvested beside idle cash without moving the level, then or later', () => {
    // Worked by hand: 500 of each name; nobody takes the 500 of A, then B, back at 100, takes the 500 of C.
    const low = { B: 0.004, C: 0.004, D: 0.004 };
    const paidA = { A: paid(1, hour(1)) };
    const worked = work(define(['A', 'B', 'C', 'D']), [
      at(0, { A: 0.5, B: 0.5, C: 0.5, D: 0.5 }),
      { ...at(1, low), ...paidA },
      { ...at(2, { B: 0.2, D: 0.004 }), ...paidA, C: paid(1, hour(2)) },
      at(3, { B: 0.4, D: 0.004 }),
    ]);
    expect(worked.map((each) => each.level)).toEqual(
      [1000, 506, 1102, 1702].map((each) => expect.closeTo(each, 9)),
    );
    steady(worked);
  });

  it('before the base leaves a constituent out of it', () => {
    const [open] = work(define(['A', 'B']), [{ A: paid(1, hour(-1)), B: mid(0.5, hour(0)) }]);
    expect(open?.print).toMatchObject({ level: 1000, lines: [{ market_id: idOf('B'), weight: 1 }] });
  });

  it('of the last constituent ends the series at its last level', () => {
    const end = { A: paid(1, hour(1)) };
    const worked = work(define(['A']), [at(0, { A: 0.5 }), end, end, end]);
    expect(worked.map((each) => each.print?.level)).toEqual([1000, 2000, undefined, undefined]);
    expect(worked[3]?.level).toBe(2000);
    expect(worked.flatMap((each) => each.steps.map((step) => step.reason))).toEqual(['base', 'settlement']);
  });

  it('of two at once is one step', () => {
    const worked = work(define(['A', 'B', 'C']), [
      at(0, { A: 0.5, B: 0.5, C: 0.5 }),
      { A: paid(1, hour(1)), B: paid(0, hour(1)), C: mid(0.5, hour(1)) },
    ]);
    expect(worked[1]?.level).toBeCloseTo(1000, 9);
    expect(worked[1]?.steps).toMatchObject([{ reason: 'settlement', market_ids: [idOf('A'), idOf('B')] }]);
    steady(worked);
  });

  it('of a constituent that was never priced prints nothing and is recorded nowhere', () => {
    const worked = work(define(['A', 'B']), [
      at(0, { A: 0.5 }),
      { A: mid(0.5, hour(0)), B: paid(1, hour(1)) },
    ]);
    expect(worked[1]?.print).toBeUndefined();
    expect(worked[1]?.steps).toEqual([]);
    expect(worked[1]?.line('B')).toBeUndefined();
  });

  it('of all others gives the whole to the next admission, whatever the divisor is by then', () => {
    const worked = work(define(['A', 'B', 'C']), [
      at(0, { A: 0.5, C: 0.5 }),
      { A: paid(1, hour(1)), C: mid(0.5, hour(1)) },
      { C: paid(1, hour(2)) },
      at(3, { B: 0.2 }),
      at(4, { B: 0.3 }),
    ]);
    expect(worked.map((each) => each.print?.level)).toEqual(
      [1000, 1500, 3000, 3000, 4500].map((each) => expect.closeTo(each, 9)),
    );
    steady(worked);
  });

  it('at 0 ends the series: nothing more is admitted or reconstituted', () => {
    const board = { A: paid(0, hour(1)), B: mid(0.5, hour(1)) };
    const worked = work(define(['A', 'B']), [at(0, { A: 0.5 }), board, board, board], { 3: define(['B']) });
    expect(worked[1]?.print?.level).toBe(0);
    expect(worked.slice(1).flatMap((each) => each.steps.map((step) => step.reason))).toEqual(['settlement']);
    expect(worked[3]?.level).toBe(0);
  });
});

describe('reconstitution', () => {
  it("prints a level with the instant's marks on the old quantities, then steps", () => {
    const worked = work(
      define(['A', 'B']),
      [at(0, { A: 0.5, B: 0.2 }), at(1, { A: 0.6, B: 0.4, C: 0.1 }), at(2, { A: 0.6, C: 0.2 })],
      { 1: define(['A', 'C']) },
    );
    expect(worked[1]?.level).toBeCloseTo(1600, 9);
    expect(worked[1]?.line('B')).toBeUndefined();
    expect(worked[1]?.print?.lines.find((line) => line.market_id === idOf('B'))).toMatchObject({
      state: 'departed',
      price: 0.4,
      weight: 0,
    });
    expect(worked[1]?.line('C')?.weight).toBeCloseTo(0.5, 12);
    expect(worked[2]?.level).toBeCloseTo(2400, 9);
    expect(worked[1]?.steps).toMatchObject([{ reason: 'reconstitution' }]);
    steady(worked);
  });

  it('names what it holds and what departs, and passes over what was never priced', () => {
    const worked = work(define(['A', 'B', 'C']), [at(0, { A: 0.5, B: 0.2 }), at(1, { A: 0.6, B: 0.4 })], {
      1: define(['A']),
    });
    expect(worked[1]?.steps[0]?.market_ids).toEqual([idOf('A'), idOf('B')]);
    expect(worked[1]?.print?.lines.map((line) => line.market_id)).toEqual([idOf('A'), idOf('B')]);
  });

  it('with new weights only sets them at the marks of the instant', () => {
    const worked = work(define({ A: 1, B: 1 }), [at(0, { A: 0.5, B: 0.2 }), at(1, { A: 1 / 4, B: 0.2 })], {
      1: define({ A: 3, B: 1 }),
    });
    expect(worked[1]?.level).toBeCloseTo(750, 9);
    expect(worked[1]?.line('A')?.weight).toBeCloseTo(0.75, 12);
    steady(worked);
  });

  it('sets a held member at its held mark, still excluded', () => {
    const worked = work(
      define(['A', 'B']),
      [
        at(0, { A: 0.5, B: 0.2 }),
        { A: mid(0.5, hour(1)), B: book({ bid: 0.01 }, hour(1)) },
        at(2, { A: 0.5, B: 0.1 }),
      ],
      { 1: define({ A: 3, B: 1 }) },
    );
    expect(worked[1]?.line('B')).toMatchObject({ state: 'excluded', weight: 0, quantity: 1250 });
    expect(worked[2]?.level).toBeCloseTo(875, 9);
    steady(worked);
  });

  it('admits a staged constituent that becomes included at its share', () => {
    const worked = work(
      define(['A', 'B'], { staged: ['B'] }),
      [at(0, { A: 0.5, B: 0.2 }), at(1, { A: 0.6, B: 0.2 })],
      { 1: define(['A', 'B']) },
    );
    expect(worked[1]?.level).toBeCloseTo(1200, 9);
    expect(worked[1]?.line('B')?.weight).toBeCloseTo(0.5, 12);
    steady(worked);
  });

  it('waits until a member of the new definition has a good mark', () => {
    const worked = work(
      define(['A']),
      [at(0, { A: 0.5 }), at(1, { A: 0.6 }), at(2, { A: 0.7, B: 0.2 }), at(3, { A: 0.9, B: 0.3 })],
      { 1: define(['B']) },
    );
    expect(worked.map((each) => each.level)).toEqual(
      [1000, 1200, 1400, 2100].map((each) => expect.closeTo(each, 9)),
    );
    expect(worked.map((each) => each.steps.map((step) => step.reason))).toEqual([
      ['base'],
      [],
      ['reconstitution'],
      [],
    ]);
  });

  it('leaves a settled constituent out', () => {
    const worked = work(
      define(['A', 'B']),
      [
        at(0, { A: 0.5, B: 0.5 }),
        { A: paid(1, hour(1)), B: mid(0.5, hour(1)) },
        { A: paid(1, hour(1)), B: mid(0.6, hour(2)) },
      ],
      { 1: define({ A: 1, B: 3 }) },
    );
    expect(worked[1]?.level).toBeCloseTo(1500, 9);
    expect(worked[2]?.level).toBeCloseTo(1800, 9);
    expect(worked[1]?.line('B')?.weight).toBe(1);
    steady(worked);
  });
});

describe('no quantity is set from a mark under half a cent', () => {
  it('exactly half a cent buys by its own mark and takes none of the rest', () => {
    expect(
      allocate([
        { price: 0.005, value: 500 },
        { price: 0.5, value: 500 },
      ]),
    ).toEqual({
      quantities: [100_000, 1000],
      cash: 0,
    });
  });

  it('0.005 is used and the rest goes to constituents strictly above half a cent, by their values', () => {
    const { quantities, cash } = allocate([
      { price: 0.001, value: 300 },
      { price: 0.005, value: 300 },
      { price: 0.5, value: 300 },
      { price: 0.25, value: 100 },
    ]);
    // 60 000 at 0.001 are 60; the other 240 go 180 to 60.
    expect(quantities).toEqual([60_000, 60_000, expect.closeTo(960, 9), expect.closeTo(640, 9)]);
    expect(cash).toBe(0);
  });

  it('with none above, the rest goes to all equally', () => {
    const { quantities, cash } = allocate([
      { price: 0.005, value: 500 },
      { price: 0.003, value: 500 },
    ]);
    expect(quantities).toEqual([125_000, 125_000]);
    expect(cash).toBe(0);
  });

  it('when everything is worthless it stays cash', () => {
    expect(allocate([{ price: 0, value: 10 }])).toEqual({ quantities: [2000], cash: 10 });
  });

  it('a base with a cheap constituent is worth its base level', () => {
    const [open] = work(define(['A', 'B']), [at(0, { A: 0.001, B: 0.5 })]);
    expect(open?.line('A')).toMatchObject({ quantity: 100_000 });
    expect(open?.line('A')?.weight).toBeCloseTo(0.1, 12);
    expect(open?.line('B')?.weight).toBeCloseTo(0.9, 12);
  });

  it('an admission does the same: one above takes the rest; with none it equals the base', () => {
    const above = work(define(['A', 'B']), [at(0, { A: 0.5 }), at(1, { A: 0.5, B: 0.001 })]);
    expect(above[1]?.line('B')?.weight).toBeCloseTo(0.1, 12);
    const none = work(define(['A', 'B']), [at(0, { A: 0.005 }), at(1, { A: 0.005, B: 0.003 })]);
    const atBase = work(define(['A', 'B']), [at(0, { A: 0.005, B: 0.003 })]);
    expect(none[1]?.line('B')?.weight).toBeCloseTo(atBase[0]?.line('B')?.weight ?? Number.NaN, 12);
    // Worked by hand: C gets 251.5 of 503 + 251.5, of which 50,300 at 0.002 take 100.6; A, at 500, takes the rest.
    const under = work(define(['A', 'B', 'C']), [
      at(0, { A: 0.5, B: 0.5 }),
      at(1, { A: 0.5, B: 0.003, C: 0.002 }),
    ]);
    expect(['A', 'B', 'C'].map((name) => under[1]?.line(name)?.quantity)).toEqual(
      [1000 * (1 + 150.9 / 500), 1000, 50_300].map((each) => expect.closeTo(each, 6)),
    );
    // No name above half a cent is held yet when C enters, though D is about to.
    const both = work(define(['B', 'C', 'D']), [at(0, { B: 0.5 }), at(1, { B: 0.003, C: 0.002, D: 0.4 })]);
    expect(both[1]?.line('D')?.weight).toBeCloseTo(1 / 3, 12);
    steady([...above, ...none, ...under, ...both]);
  });
});
