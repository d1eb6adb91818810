import fc from 'fast-check';
import { expect, it } from 'vitest';
import { turnShares } from '../../../src/methodology/rate-families/rolling.ts';
import { rateDefinition } from '../../../src/model/definitions/rate-definition.ts';
import { DAY_MS } from '../../../src/model/time.ts';
import { A, B, C, defineRate, printAt } from './rates.ts';

const ROLL = Date.parse('2026-11-10T00:00:00Z');
const sources = [
  { market_id: A, roll_at: '2026-11-10T00:00:00Z' },
  { market_id: B, roll_at: '2026-12-10T00:00:00Z' },
  { market_id: C },
];
const STEP = { kind: 'step_change' };
const BLEND = { kind: 'linear_blend', days: 4 };
const chain = (roll: object) => defineRate({ methodology: 'rolling', roll, sources });
const prices = { [A]: 0.6, [B]: 0.4, [C]: 0.1 };

it('step_change: the next contract takes over at roll_at, to the millisecond', () => {
  expect(printAt(chain(STEP), prices, {}, ROLL - 1)?.price).toBe(0.6);
  const rolled = printAt(chain(STEP), prices, {}, ROLL);
  expect(rolled?.price).toBe(0.4);
  expect(rolled?.lines.map((line) => [line.state, line.weight])).toEqual([
    ['consulted', 0],
    ['included', 1],
    ['consulted', 0],
  ]);
});

it('linear_blend: the share of the next contract grows evenly to 1', () => {
  // Worked by hand: one day of four before the roll, 0.25·0.60 + 0.75·0.40 = 0.45.
  const print = printAt(chain(BLEND), prices, {}, ROLL - DAY_MS);
  expect(print?.price).toBeCloseTo(0.45, 15);
  expect(print?.spread).toBeCloseTo(0.2, 15);
  expect(print?.lines.map((line) => line.weight)).toEqual([0.25, 0.75, 0]);
  expect(printAt(chain(BLEND), prices, {}, ROLL - 4 * DAY_MS)?.price).toBe(0.6);
  expect(printAt(chain(BLEND), prices, {}, ROLL)?.price).toBe(0.4);
});

it('a contract without a price leaves its share to the other; a contract alone then does not print', () => {
  expect(printAt(chain(BLEND), { [B]: 0.4 }, {}, ROLL - DAY_MS)?.price).toBe(0.4);
  expect(printAt(chain(STEP), { [B]: 0.4, [C]: 0.1 }, {}, ROLL - DAY_MS)).toBeUndefined();
});

it('shares sum to 1 at every instant, over at most two contracts', () => {
  const definition = chain(BLEND);
  if (definition.methodology !== 'rolling') throw new Error('not a chain');
  fc.assert(
    fc.property(fc.integer({ min: -60, max: 60 }), fc.integer({ min: 0, max: DAY_MS }), (days, ms) => {
      const shares = turnShares(definition, ROLL + days * DAY_MS + ms);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(1);
      expect(shares.filter((share) => share > 0).length).toBeLessThanOrEqual(2);
      expect(shares.every((share) => share >= 0)).toBe(true);
    }),
  );
});

it('a chain with overlapping or endless turns is refused', () => {
  const problems = (wrong: object) =>
    rateDefinition
      .safeParse({ ...chain(BLEND), ...wrong })
      .error?.issues.map((issue) => issue.path.join('.'));
  expect(problems({ roll: { kind: 'linear_blend', days: 31 } })).toEqual(['sources.1.roll_at']);
  expect(problems({ sources: [{ market_id: A }, { market_id: B }] })).toEqual(['sources.0.roll_at']);
  expect(problems({ sources: sources.slice(0, 2) })).toEqual(['sources.1.roll_at']);
});
