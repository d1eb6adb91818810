import { expect, it } from 'vitest';
import {
  brokenAt,
  changeOver,
  DAY_MS,
  pointsOf,
  rangesOf,
  typicalMove,
} from '../../src/explorer/charts/series.ts';

const daily = (...days: number[]) => days.map((day) => ({ at: day * DAY_MS, value: 100 + day }));

it('a restarted line is not connected to what came before', () => {
  const points = [1000, 500, 1000, 1100].map((value, i) => ({ at: 1000 * i, value }));
  const line = brokenAt(points, [0, 2000]);
  expect(line.map(({ at }) => at)).toEqual([0, 1000, 1999, 2000, 3000]);
  expect(line.map(({ value }) => value)).toEqual([1000, 500, null, 1000, 1100]);
  expect(pointsOf(line)).toEqual(points);
});

it('a change is measured from the last point of the week up to its day, or from none', () => {
  expect(changeOver(daily(2, 40), 30)).toBeUndefined();
  expect(changeOver(daily(3, 40), 30)?.difference).toBe(37);
  expect(changeOver(daily(3, 10, 11, 40), 30)?.difference).toBe(30);
  expect(changeOver(daily(39, 40), 30)).toBeUndefined();
  expect(changeOver([], 30)).toBeUndefined();
});

it('a typical daily change takes no step over several days for one', () => {
  const steps = [0, 1, 2, 3, 4, 5, 30].map((day) => ({
    at: day * DAY_MS,
    value: day === 30 ? 90 : 2 * (day % 2),
  }));
  expect(typicalMove(steps)).toBe(2);
  expect(typicalMove(daily(0, 1, 2, 3, 4, 30))).toBeUndefined();
});

it('a range is offered if it shows a part of the series, and more than its last point', () => {
  const labels = (points: { at: number; value: number }[]) => rangesOf(points).map(({ label }) => label);
  expect(labels(daily(0, 20, 37, 40))).toEqual(['1 week', '1 month', 'All']);
  expect(labels(daily(0, 1))).toEqual(['All']);
  expect(labels([])).toEqual(['All']);
});
