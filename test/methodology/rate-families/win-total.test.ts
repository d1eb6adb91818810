import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ContractView } from '../../../src/methodology/contract-views.ts';
import { fallingBlocks } from '../../../src/methodology/isotonic.ts';
import { calculateRate } from '../../../src/methodology/rate-families/rate-families.ts';
import type { RatePrint } from '../../../src/model/print.ts';
import { HOUR_MS } from '../../../src/model/time.ts';
import { A, AT, B, C, D, defineRate, priced, printAt } from './rates.ts';

const ladder = (line: number, sources: { market_id: string; line: number; side?: 'yes' | 'no' }[]) =>
  defineRate({ methodology: 'win_total', team: 'OKC', line, sources });
const THREE = [
  { market_id: A, line: 45 },
  { market_id: B, line: 50 },
  { market_id: C, line: 55 },
];

it('a line in order has its own Yes mark; the other lines are consulted', () => {
  const print = printAt(ladder(50, THREE), { [A]: 0.8, [B]: 0.5, [C]: 0.2 });
  expect(print).toMatchObject({ price: 0.5, spread: 0, methodology_version: 'win_total-1.5' });
  expect(print?.lines.map((line) => [line.state, line.weight, line.price])).toEqual([
    ['consulted', 0, 0.8],
    ['included', 1, 0.5],
    ['consulted', 0, 0.2],
  ]);
});

it('lines out of order are pooled at their mean, since a higher line is never likelier', () => {
  // Worked by hand: 0.46 below 0.50 breaks the order, so both lines stand at 0.48.
  const prices = { [A]: 0.46, [B]: 0.5, [C]: 0.2 };
  const print = printAt(ladder(50, THREE), prices);
  expect(print?.price).toBeCloseTo(0.48, 15);
  expect(print?.spread).toBeCloseTo(0.04, 15);
  expect(print?.lines.map((line) => line.weight)).toEqual([0.5, 0.5, 0]);
  expect(printAt(ladder(45, THREE), prices)?.price).toBe(print?.price);
});

it('a No side with a book of its own enters as yes / (yes + no)', () => {
  const both = ladder(50, [
    { market_id: B, line: 50 },
    { market_id: D, line: 50, side: 'no' },
  ]);
  // Worked by hand: 0.52 / (0.52 + 0.50) = 0.5098039215686274; No at 0.50 says 0.50 of Yes.
  const print = printAt(both, { [B]: 0.52, [D]: 0.5 });
  expect(print?.price).toBeCloseTo(0.52 / 1.02, 14);
  expect(print?.lines.map((line) => line.price)).toEqual([0.52, 0.5]);
  expect(print?.lines[1]?.weight).toBeCloseTo(0.52 / 1.02, 14);
  expect(printAt(both, { [D]: 0.3 })?.price).toBe(0.7);
});

it('a contract at the half-cent floor enters only while all are on it', () => {
  const at = (line: number, sources: Parameters<typeof ladder>[1], floors: string[], prices: object) => {
    const known = new Map<string, number>(Object.entries(prices));
    const view = (id: string): ContractView | undefined => {
      const price = known.get(id);
      if (price !== undefined) return priced(price);
      return floors.includes(id)
        ? { status: 'active', observed_at: AT, book: { observed_at: AT } }
        : undefined;
    };
    return calculateRate(ladder(line, sources), view, AT, undefined);
  };
  // With the floor in the ladder, the lines above a new one that nobody quotes would be pooled with it.
  const below = [{ market_id: D, line: 40 }, ...THREE];
  const prices = { [A]: 0.7, [B]: 0.5, [C]: 0.2 };
  const print = at(50, below, [D], prices);
  expect(print?.price).toBe(0.5);
  expect(print?.lines[0]).toMatchObject({ state: 'consulted', weight: 0, price: 0.005 });
  expect(at(40, below, [D], prices)).toBeUndefined();
  expect(at(40, below, [A, B, C, D], {})).toMatchObject({ price: 0.005 });
  // A No at 2 cents says 98 of Yes, whose own book is empty.
  const both = [
    { market_id: B, line: 50 },
    { market_id: D, line: 50, side: 'no' as const },
  ];
  expect(at(50, both, [B], { [D]: 0.02 })?.price).toBe(0.98);
});

it('several contracts of one side of a line share its weight equally', () => {
  const twoYes = ladder(50, [
    { market_id: A, line: 50 },
    { market_id: B, line: 50 },
    { market_id: D, line: 50, side: 'no' },
  ]);
  // Worked by hand: Yes 0.45 on average, No 0.50: 0.45 / 0.95; No has that share, each Yes half of the rest.
  const yes = printAt(twoYes, { [A]: 0.5, [B]: 0.4, [D]: 0.5 });
  expect(yes?.price).toBeCloseTo(9 / 19, 14);
  [5 / 19, 5 / 19, 9 / 19].forEach((weight, i) => {
    expect(yes?.lines[i]?.weight).toBeCloseTo(weight, 14);
  });
  const twoNo = ladder(50, [
    { market_id: A, line: 50 },
    { market_id: C, line: 50, side: 'no' },
    { market_id: D, line: 50, side: 'no' },
  ]);
  const no = printAt(twoNo, { [A]: 0.5, [C]: 0.4, [D]: 0.6 });
  expect(no?.price).toBeCloseTo(0.5, 14);
  [0.5, 0.25, 0.25].forEach((weight, i) => {
    expect(no?.lines[i]?.weight).toBeCloseTo(weight, 14);
  });
});

it('a bid for No is an ask for Yes, and a No without a bid says nothing', () => {
  const definition = ladder(50, [{ market_id: D, line: 50, side: 'no' }]);
  const printOf = (book: { bid?: number; ask?: number }) =>
    calculateRate(
      definition,
      () => ({ status: 'active', observed_at: AT, book: { ...book, observed_at: AT } }),
      AT,
      undefined,
    );
  expect(printOf({ bid: 0.25, ask: 0.35 })?.lines[0]).toMatchObject({
    price: expect.closeTo(0.7, 15),
    basis: 'mid',
    spread: expect.closeTo(0.1, 15),
  });
  expect(printOf({ bid: 0.25 })?.lines[0]).toMatchObject({ price: 0.75, basis: 'ask' });
  expect(printOf({ ask: 0.25 })?.lines[0]).toMatchObject({ price: 0.75, basis: 'bid' });
  expect(printOf({})).toBeUndefined();
});

it('[2.5.1/1] a source that did not enter keeps its catalog weight: an equal share of the line, if it is of it', () => {
  const ofLine = [A, B].map((market_id) => ({ market_id, line: 50 }));
  const definition = ladder(50, [...ofLine, { market_id: C, line: 55 }]);
  expect(printAt(definition, { [A]: 0.5 })?.lines.map((line) => line.weight)).toEqual([1, 0.5, 0]);
});

it('a line that is only consulted makes no print, however new it is', () => {
  const at = (price: number, instant: number, before?: RatePrint) => {
    const prices: Record<string, ContractView> = {
      [A]: priced(0.8),
      [B]: priced(0.5),
      [C]: priced(price, instant),
    };
    return calculateRate(ladder(50, THREE), (id) => prices[id], instant, before);
  };
  const before = at(0.2, AT);
  expect(at(0.3, AT + HOUR_MS, before)).toBeUndefined();
  expect(at(0.6, AT + HOUR_MS, before)?.price).toBeCloseTo(0.55, 15);
});

it('without a price on its own line there is no print', () => {
  expect(printAt(ladder(50, THREE), { [A]: 0.8, [C]: 0.2 })).toBeUndefined();
});

it('a rate lies within the marks of its block, with shares that sum to 1, in any order of the ladder', () => {
  const marks = fc.array(fc.double({ min: 0.01, max: 0.99, noNaN: true }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(marks, fc.nat(8), (list, own) => {
      const rungs = list.map((_price, i) => ({ market_id: `venue_a:L${i}`, line: 40 + i }));
      const line = 40 + (own % list.length);
      const prices = Object.fromEntries(rungs.map((rung, i) => [rung.market_id, list[i]]));
      const print = printAt(ladder(line, rungs), prices);
      const entered = print?.lines.filter((each) => each.state === 'included') ?? [];
      const block = entered.map((each) => each.price as number);
      expect(print?.price).toBeGreaterThanOrEqual(Math.min(...block));
      expect(print?.price).toBeLessThanOrEqual(Math.max(...block));
      expect(entered.reduce((sum, each) => sum + each.weight, 0)).toBeCloseTo(1, 12);
      expect(printAt(ladder(line, rungs.toReversed()), prices)?.price).toBeCloseTo(print?.price ?? -1, 12);
    }),
  );
});

it('fallingBlocks gives the nearest falling ladder', () => {
  const means = (values: number[]) => fallingBlocks(values).map((block) => block.mean);
  expect(means([0.8, 0.4, 0.5])).toEqual([0.8, 0.45, 0.45]);
  expect(means([1, 2, 0.5, 3, 2])).toEqual([1.7, 1.7, 1.7, 1.7, 1.7]);
  expect(means([0.9, 0.5, 0.5, 0.1])).toEqual([0.9, 0.5, 0.5, 0.1]);
});

it('a ladder made to fall never rises, keeps its sum, and is unchanged where it already fell', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (values) => {
      const means = fallingBlocks(values).map((block) => block.mean);
      for (let i = 1; i < means.length; i++)
        expect(means[i]).toBeLessThanOrEqual((means[i - 1] as number) + 1e-12);
      const total = (of: number[]) => of.reduce((sum, each) => sum + each, 0);
      expect(Math.abs(total(means) - total(values))).toBeLessThan(1e-9);
      const falling = [...values].sort((a, b) => b - a);
      expect(fallingBlocks(falling).map((block) => block.mean)).toEqual(falling);
    }),
  );
});
