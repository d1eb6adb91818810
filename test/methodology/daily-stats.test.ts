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
    const stats = dailyStats(daily(0.5, 0.505, 0.51, 0.515, 0.52, 0.525, 0.53, 0.55));
    expect(stats?.return_1d).toBeCloseTo(0.55 / 0.53 - 1, 15);
    expect(stats?.return_7d).toBeCloseTo(0.1, 15);
    expect(stats?.return_since_first).toBeCloseTo(0.1, 15);
    expect(stats).toHaveProperty('return_30d', undefined);
    expect(stats).toMatchObject({ through_day: '2026-01-08', first_day: FIRST });
  });

  it('take the last close in the seven days before a missing day, and none further back', () => {
    const on = (day: number, value: number) => ({ day: addDays(FIRST, day), value });
    expect(dailyStats([on(0, 0.5), on(14, 0.6)])?.return_7d).toBeCloseTo(0.2, 15);
    expect(dailyStats([on(0, 0.5), on(15, 0.6)])).toHaveProperty('return_7d', undefined);
  });

  it('do not exist from 0', () => {
    expect(dailyStats(daily(0, 0.1))).toHaveProperty('return_1d', undefined);
  });
});

describe('volatility', () => {
  // Worked by hand: changes of +2 and -2 cents in turn, 20 of them, have mean 0 and sample variance 20·4/19.
  const bouncing = daily(...Array.from({ length: 21 }, (_none, i) => (i % 2 === 0 ? 0.4 : 0.42)));

  it("is the sample deviation of a rate's changes in cents, annualized", () => {
    expect(dailyStats(bouncing)?.volatility).toBeCloseTo(Math.sqrt(80 / 19) * Math.sqrt(365), 9);
  });

  it('needs 20 changes between adjacent days', () => {
    expect(dailyStats(bouncing.slice(1))).toHaveProperty('volatility', undefined);
    const gap = bouncing.filter((_close, i) => i !== 10);
    expect(dailyStats(gap)).toHaveProperty('volatility', undefined);
  });

  it('ignores changes over a missing day', () => {
    const jumped = [...bouncing, { day: addDays(FIRST, 22), value: 0.9 }];
    expect(dailyStats(jumped)?.volatility).toBe(dailyStats(bouncing)?.volatility);
  });

  it('ignores changes beyond the last 90', () => {
    const wild = Array.from({ length: 40 }, (_none, i) => (i % 2 === 0 ? 0.1 : 0.9));
    expect(dailyStats(daily(...wild, ...Array<number>(91).fill(0.5)))?.volatility).toBe(0);
  });
});

describe('range and drawdown', () => {
  it('as the methodology document works them out', () => {
    const stats = dailyStats(daily(0.4, 0.44, 0.33, 0.36));
    const document = readFileSync(join(import.meta.dirname, '../../data/methodology.md'), 'utf8');
    expect(document).toContain(
      `return_1d ${stats?.return_1d?.toFixed(4)}, high ${100 * (stats?.high_365d ?? 0)}, ` +
        `low ${100 * (stats?.low_365d ?? 0)}, ` +
        `drawdown ${stats?.max_drawdown_365d}`,
    );
  });

  it('look back 365 days', () => {
    const stats = dailyStats(daily(0.5, ...Array<number>(365).fill(0.1)));
    expect(stats).toMatchObject({ high_365d: 0.1, low_365d: 0.1, max_drawdown_365d: 0 });
    expect(dailyStats(daily(0.5, ...Array<number>(364).fill(0.1)))?.high_365d).toBe(0.5);
  });

  it('of a series at 0 throughout are 0', () => {
    expect(dailyStats(daily(0, 0))).toMatchObject({
      high_365d: 0,
      low_365d: 0,
      max_drawdown_365d: 0,
    });
  });

  it('keep the drawdown from -1 to 0 and never deeper than low over high', () => {
    const values = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, (list) => {
        const stats = dailyStats(daily(...list));
        const deepest = stats?.max_drawdown_365d ?? 1;
        expect(deepest).toBeLessThanOrEqual(0);
        expect(deepest).toBeGreaterThanOrEqual((stats?.low_365d ?? 0) / (stats?.high_365d ?? 1) - 1 - 1e-12);
      }),
    );
  });
});

it('without a close there are no stats; with one there are no returns', () => {
  expect(dailyStats([])).toBeUndefined();
  expect(dailyStats(daily(0.4))).toEqual({
    through_day: FIRST,
    first_day: FIRST,
    high_365d: 0.4,
    low_365d: 0.4,
    max_drawdown_365d: 0,
  });
});
