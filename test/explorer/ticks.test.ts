import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tickRoom, timeTick, valueTicks } from '../../src/explorer/charts/ticks.ts';

describe('the labels of an axis', () => {
  it('are all different, whatever their size and steps', () => {
    const steps = fc.tuple(fc.constantFrom(1, 2, 2.5, 5), fc.integer({ min: -6, max: 12 }));
    fc.assert(
      fc.property(steps, fc.integer({ min: -20, max: 20_000 }), ([digit, power], from) => {
        const step = digit * 10 ** power;
        const ticks = Array.from({ length: 6 }, (_, i) => (from + i) * step);
        expect(new Set(valueTicks(ticks, step)).size).toBe(6);
      }),
    );
    expect(valueTicks([0, 25, 50], 25)).toEqual(['0', '25', '50']);
    expect(valueTicks([0.001, 0.00105], 0.00005)).toEqual(['0.001', '0.00105']);
  });

  it('have enough room, the usual width where they need no more', () => {
    expect(tickRoom(null)).toBe(64);
    expect(tickRoom(['1,000', '1,500'])).toBe(64);
    expect(tickRoom(['10,000,000', '500,000,000'])).toBeGreaterThan(80);
  });
});

it('time ticks show the hour within a day, then the day, and over years the year', () => {
  const at = Date.parse('2026-03-01T00:00:00Z') / 1000;
  expect(timeTick(at + 3600, 3600)).toBe('01:00');
  expect(timeTick(at, 3600)).toBe('1 Mar');
  expect(timeTick(at, 86_400)).toBe('1 Mar');
  expect(timeTick(at, 60 * 86_400)).toBe('Mar 2026');
});
