import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printInstants, windows } from '../../src/compute/series/instants.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/model/time.ts';

const half = HOUR_MS / 2;

describe('printInstants', () => {
  it('gives the first instant, the whole steps after it, and the instant of the run', () => {
    expect(printInstants(60, undefined, half, 2 * HOUR_MS + 1)).toEqual([
      half,
      HOUR_MS,
      2 * HOUR_MS,
      2 * HOUR_MS + 1,
    ]);
    expect(printInstants(60, undefined, half, half)).toEqual([half]);
    expect(printInstants(60, undefined, half, half - 1)).toEqual([]);
  });

  it('starts after the last instant that was calculated', () => {
    expect(printInstants(60, HOUR_MS, 0, 2 * HOUR_MS)).toEqual([2 * HOUR_MS]);
    expect(printInstants(60, HOUR_MS + 1, 0, 2 * HOUR_MS + half)).toEqual([2 * HOUR_MS, 2 * HOUR_MS + half]);
    expect(printInstants(60, HOUR_MS, 0, HOUR_MS)).toEqual([]);
    expect(printInstants(60, HOUR_MS, 0, HOUR_MS - 1)).toEqual([]);
  });

  it('over many runs, includes every instant that one run would give', () => {
    const minutes = fc.integer({ min: 0, max: 3000 });
    const interval = fc.constantFrom(1, 5, 60, 1440);
    fc.assert(
      fc.property(interval, minutes, fc.array(minutes, { minLength: 1 }), (interval, first, runs) => {
        const from = first * MINUTE_MS;
        const sorted = [...runs].sort((a, b) => a - b).map((each) => each * MINUTE_MS);
        let after: number | undefined;
        const all: number[] = [];
        for (const now of sorted) {
          const instants = printInstants(interval, after, from, now);
          all.push(...instants);
          after = instants.at(-1) ?? after;
        }
        expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
        const given = new Set(all);
        const atOnce = printInstants(interval, undefined, from, sorted.at(-1) as number);
        expect(atOnce.filter((at) => !given.has(at))).toEqual([]);
      }),
    );
  });
});

it('windows split the instants without losing one', () => {
  const instants = Array.from({ length: 1300 }, (_none, i) => i);
  expect(windows(instants).map((each) => each.length)).toEqual([512, 512, 276]);
  expect(windows(instants).flat()).toEqual(instants);
  expect(windows(instants, 10_000).map((each) => each.length)).toEqual([400, 400, 400, 100]);
  expect(windows(instants, 1e9)).toHaveLength(1300);
  expect(windows([])).toEqual([]);
});
