import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContractView } from '../../../src/methodology/contract-views.ts';
import { calculateRate, restsOnFloor } from '../../../src/methodology/rate-families/rate-families.ts';
import { MARKET_STATUSES } from '../../../src/model/catalog.ts';
import type { RateDefinition } from '../../../src/model/definitions/rate-definition.ts';
import type { RatePrint } from '../../../src/model/print.ts';
import { DAY_MS, formatInstant } from '../../../src/model/time.ts';
import { type Board, book, hour, idOf, mid, paid, START } from '../contracts.ts';
import { defineRate } from './rates.ts';

function define(methodology: RateDefinition['methodology'], weights: Record<string, number>): RateDefinition {
  const sources = Object.entries(weights).map(([name, weight]) => ({ market_id: idOf(name), weight }));
  return defineRate({ ticker: 'TEST', start_at: formatInstant(START), methodology, sources });
}

const print = (definition: RateDefinition, board: Board, at = hour(0), before?: RatePrint) =>
  calculateRate(definition, (id) => board[id.slice('venue_a:'.length)], at, before);

const one = define('event_contract', { A: 1 });
const mean = define('simple_average', { A: 1, B: 1, C: 2 });

describe('event_contract', () => {
  it('[2.5.2/2] is the mark of its one source, one-sided or not', () => {
    for (const [sides, price] of [
      [{ bid: 0.4, ask: 0.5 }, 0.45],
      [{ bid: 0.4, last: 0.42 }, 0.42],
      [{ bid: 0.4 }, 0.4],
      [{ ask: 0.1 }, 0.1],
      [{}, 0.005],
    ] as const)
      expect(print(one, { A: book(sides, hour(0)) })).toMatchObject({
        price: expect.closeTo(price, 12),
        spread: 0,
        methodology_version: 'event_contract-1.4',
        lines: [{ market_id: idOf('A'), state: 'included', weight: 1 }],
      });
  });

  it('has no print without a price', () => {
    expect(print(one, {})).toBeUndefined();
    expect(print(one, { A: book({ bid: 0.5, ask: 0.4 }, hour(0)) })).toBeUndefined();
  });
});

describe('simple_average', () => {
  it('[2.5.1/1] is the mean of the sources that entered, in equal shares', () => {
    const found = print(mean, {
      A: mid(0.5, hour(0)),
      B: book({ bid: 0.2 }, hour(0)),
      C: mid(0.53, hour(0)),
    });
    expect(found?.price).toBeCloseTo(0.41, 12);
    expect(found?.lines.map((line) => line.weight)).toEqual([1 / 3, 1 / 3, 1 / 3]);
  });

  it('has as spread the highest minus the lowest entered mark; 0 with one', () => {
    expect(print(mean, { A: mid(0.505, hour(0)), B: mid(0.51, hour(0)) })?.spread).toBeCloseTo(0.005, 12);
    expect(print(mean, { A: mid(0.505, hour(0)) })?.spread).toBe(0);
  });

  it('[2.5.1/1] gives a source that did not enter its catalog share and no price', () => {
    const found = print(mean, { A: mid(0.5, hour(0)) });
    expect(found?.lines).toEqual([
      expect.objectContaining({ state: 'included', weight: 1, price: 0.5 }),
      { market_id: idOf('B'), state: 'unpriced', quantity: 0, weight: 0.25 },
      { market_id: idOf('C'), state: 'unpriced', quantity: 0, weight: 0.5 },
    ]);
  });

  it('lies within its sources, has their spread, and shares that sum to 1', () => {
    const price = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(fc.record({ A: price, B: price, C: price }, { requiredKeys: [] }), (prices) => {
        const board = Object.fromEntries(
          Object.entries(prices).map(([name, each]) => [name, mid(each, hour(0))]),
        );
        const found = print(mean, board);
        const marks = Object.values(prices);
        expect(found !== undefined).toBe(marks.length > 0);
        if (!found) return;
        expect(found.price).toBeGreaterThanOrEqual(Math.min(...marks) - 1e-15);
        expect(found.price).toBeLessThanOrEqual(Math.max(...marks) + 1e-15);
        expect(found.spread).toBe(Math.max(...marks) - Math.min(...marks));
        const shares = found.lines.filter((line) => line.state === 'included').map((line) => line.weight);
        expect(shares.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 12);
      }),
    );
  });

  it('does not move any mark when other sources are removed', () => {
    const price = fc.double({ min: 0.001, max: 0.999, noNaN: true });
    const names = fc.subarray(['A', 'B', 'C'], { minLength: 1 });
    fc.assert(
      fc.property(
        fc.record({ A: price, B: price, C: price }, { requiredKeys: [] }),
        names,
        (prices, left) => {
          const marked = Object.entries(prices).map(([name, each]) => [name, mid(each, hour(0))]);
          const board = Object.fromEntries(marked);
          const all = print(mean, board);
          const few = print(
            define('simple_average', Object.fromEntries(left.map((name) => [name, 1]))),
            board,
          );
          for (const line of few?.lines ?? [])
            expect(line.price).toBe(all?.lines.find((each) => each.market_id === line.market_id)?.price);
        },
      ),
    );
  });
});

describe('a source enters', () => {
  it('while its newest observation is at most exactly 7 days old', () => {
    const board = { A: mid(0.5, hour(0)) };
    expect(print(one, board, hour(0) + 7 * DAY_MS - 1)).toBeDefined();
    expect(print(one, board, hour(0) + 7 * DAY_MS)).toBeDefined();
    expect(print(one, board, hour(0) + 7 * DAY_MS + 1)).toBeUndefined();
  });

  it('only while its market trades: neither halted nor disputed nor settled', () => {
    for (const status of MARKET_STATUSES) {
      const view: ContractView = { ...mid(0.5, hour(0)), status };
      expect(print(one, { A: view }) !== undefined, status).toBe(status === 'active');
    }
    expect(print(mean, { A: paid(1, hour(0)), B: mid(0.6, hour(0)) })?.lines[0]).toMatchObject({
      state: 'unpriced',
    });
  });
});

describe('a rate prints', () => {
  it('only when an entered source is newer or changes its state', () => {
    const first = print(mean, { A: mid(0.5, hour(0)), B: mid(0.6, hour(0)) });
    const again = (board: Board) => print(mean, board, hour(1), first) !== undefined;
    expect(again({ A: mid(0.5, hour(0)), B: mid(0.6, hour(0)) })).toBe(false);
    expect(again({ A: mid(0.5, hour(1)), B: mid(0.6, hour(0)) })).toBe(true);
    expect(again({ A: mid(0.5, hour(0)) })).toBe(true);
    expect(again({ A: mid(0.5, hour(0)), B: mid(0.6, hour(0)), C: mid(0.1, hour(0)) })).toBe(true);
    expect(again({})).toBe(false);
  });

  it('nothing when its sources are merely listed in another order', () => {
    const board = { A: mid(0.5, hour(0)), B: mid(0.6, hour(0)), C: mid(0.7, hour(0)) };
    const before = print(mean, board);
    const turned = define('simple_average', { C: 2, B: 1, A: 1 });
    expect(print(turned, board, hour(1), before)).toBeUndefined();
    expect(print(turned, { ...board, A: mid(0.5, hour(1)) }, hour(1), before)?.at).toBe(hour(1));
  });

  it('when the mark of a source changes without being newer: one side of its book is gone', () => {
    const traded = { price: 0.3, observed_at: hour(-2) };
    const first = print(one, { A: { ...mid(0.5, hour(0)), last: traded } }) as RatePrint;
    const board = { A: { ...book({ bid: 0.2 }, hour(1)), last: traded } };
    const second = print(one, board, hour(1), first);
    expect(second).toMatchObject({ price: 0.3, lines: [{ basis: 'last', observed_at: hour(-2) }] });
    expect(print(one, board, hour(2), second)).toBeUndefined();
  });

  it('not when its mark is another one by floating-point error alone', () => {
    const last = { price: 0.23, observed_at: hour(-2) };
    const first = print(one, { A: { ...book({ bid: 0.22, ask: 0.24 }, hour(0)), last } });
    expect(first?.price).toBe((0.22 + 0.24) / 2);
    expect(first?.price).not.toBe(0.23);
    expect(print(one, { A: { ...book({ bid: 0.22 }, hour(1)), last } }, hour(1), first)).toBeUndefined();
  });

  it('at the floor when no source that entered has more', () => {
    const floor = book({}, hour(0));
    expect(restsOnFloor(print(mean, { A: floor, B: floor }) as RatePrint)).toBe(true);
    expect(restsOnFloor(print(mean, { A: floor, B: mid(0.1, hour(0)) }) as RatePrint)).toBe(false);
    const emptied = { ...(print(mean, { A: floor, B: floor }) as RatePrint), price: 0.2 };
    expect(restsOnFloor(emptied)).toBe(false);
  });
});
