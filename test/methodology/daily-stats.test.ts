import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DailyClose, dailyStats } from '../../src/methodology/daily-stats.ts';
import { addDays } from '../../src/model/time.ts';

const FIRST = '2026-01-01';
const daily = (...values: number[]): DailyClose[] =>
  values.map((value, i) => ({ day: addDays(FIRST, i), value }));

describe('returns', () => {
  it('are simple and end at the last close', () => {
    const stats = dailyStats(daily(100, 101, 102, 103, 104, 105, 106, 110), 'level');
    expect(stats?.return_1d).toBeCloseTo(110 / 106 - 1, 15);
    expect(stats?.return_7d).toBeCloseTo(0.1, 15);
    expect(stats?.return_since_first).toBeCloseTo(0.1, 15);
    expect(stats).toHaveProperty('return_30d', undefined);
    expect(stats).toMatchObject({ through_day: '2026-01-08', first_day: FIRST });
  });

  it('take the last close in the seven days before a missing day, and none further back', () => {
    const on = (day: number, value: number) => ({ day: addDays(FIRST, day), value });
    expect(dailyStats([on(0, 50), on(14, 60)], 'level')?.return_7d).toBeCloseTo(0.2, 15);
    expect(dailyStats([on(0, 50), on(15, 60)], 'level')).toHaveProperty('return_7d', undefined);
  });

  it('do not exist from a level of 0', () => {
    expect(dailyStats(daily(0, 10), 'level')).toHaveProperty('return_1d', undefined);
  });
});

describe('volatility', () => {
  // Worked by hand: changes of +2 and -2 cents in turn, 20 of them, have mean 0 and sample variance 20·4/19.
  const bouncing = daily(...Array.from({ length: 21 }, (_none, i) => (i % 2 === 0 ? 0.4 : 0.42)));

  it("is the sample deviation of a rate's changes in cents, annualized", () => {
    expect(dailyStats(bouncing, 'rate')?.volatility).toBeCloseTo(Math.sqrt(80 / 19) * Math.sqrt(365), 9);
  });

  it("is that of a level's log returns", () => {
    const step = Math.log(0.42 / 0.4);
    expect(dailyStats(bouncing, 'level')?.volatility).toBeCloseTo(
      Math.sqrt((20 * step * step) / 19) * Math.sqrt(365),
      12,
    );
  });

  it('needs 20 changes between adjacent days', () => {
    expect(dailyStats(bouncing.slice(1), 'rate')).toHaveProperty('volatility', undefined);
    const gap = bouncing.filter((_close, i) => i !== 10);
    expect(dailyStats(gap, 'rate')).toHaveProperty('volatility', undefined);
  });

  it('ignores changes over a missing day, and of a level from or to 0', () => {
    const later = (days: number, value: number) => ({ day: addDays(FIRST, 20 + days), value });
    const jumped = [...bouncing, later(2, 0.9)];
    expect(dailyStats(jumped, 'rate')?.volatility).toBe(dailyStats(bouncing, 'rate')?.volatility);
    const lost = [...bouncing, later(1, 0), later(2, 0.4)];
    expect(dailyStats(lost, 'level')?.volatility).toBe(dailyStats(bouncing, 'level')?.volatility);
  });

  it('ignores changes beyond the last 90', () => {
    const wild = Array.from({ length: 40 }, (_none, i) => (i % 2 === 0 ? 0.1 : 0.9));
    expect(dailyStats(daily(...wild, ...Array<number>(91).fill(0.5)), 'rate')?.volatility).toBe(0);
  });
});

describe('range and drawdown', () => {
  it('as the methodology document works them out', () => {
    const stats = dailyStats(daily(40, 44, 33, 36), 'level');
    const document = readFileSync(join(import.meta.dirname, '../../data/methodology.md'), 'utf8');
    expect(document).toContain(
      `return_1d ${stats?.return_1d?.toFixed(4)}, high ${stats?.high_365d}, low ${stats?.low_365d}, ` +
        `drawdown ${stats?.max_drawdown_365d}`,
    );
  });

  it('look back 365 days', () => {
    const stats = dailyStats(daily(500, ...Array<number>(365).fill(100)), 'level');
    expect(stats).toMatchObject({ high_365d: 100, low_365d: 100, max_drawdown_365d: 0 });
    expect(dailyStats(daily(500, ...Array<number>(364).fill(100)), 'level')?.high_365d).toBe(500);
  });

  it('of a series at 0 throughout are 0', () => {
    expect(dailyStats(daily(0, 0), 'rate')).toMatchObject({
      high_365d: 0,
      low_365d: 0,
      max_drawdown_365d: 0,
    });
  });

  it('keep the drawdown from -1 to 0 and never deeper than low over high', () => {
    const values = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, (list) => {
        const stats = dailyStats(daily(...list), 'rate');
        const deepest = stats?.max_drawdown_365d ?? 1;
        expect(deepest).toBeLessThanOrEqual(0);
        expect(deepest).toBeGreaterThanOrEqual((stats?.low_365d ?? 0) / (stats?.high_365d ?? 1) - 1 - 1e-12);
      }),
    );
  });
});

it('without a close there are no stats; with one there are no returns', () => {
  expect(dailyStats([], 'rate')).toBeUndefined();
  expect(dailyStats(daily(0.4), 'rate')).toEqual({
    through_day: FIRST,
    first_day: FIRST,
    high_365d: 0.4,
    low_365d: 0.4,
    max_drawdown_365d: 0,
  });
});
