import type { Point } from '../charts/line.ts';

const DAY_MS = 86_400_000;

/** The last point at or before an instant; undefined before the first. */
function pointAt(points: readonly Point[], at: number): Point | undefined {
  return points.findLast((point) => point.at <= at);
}

/**
 * The change of a series up to its last point.
 *
 * @param points in time order
 * @returns in percent of the value before, and in the unit of the values; undefined when the series is younger
 */
export function changeOver(
  points: readonly Point[],
  days: number,
): { percent: number | undefined; difference: number } | undefined {
  const last = points.at(-1);
  const before = last && pointAt(points, last.at - days * DAY_MS);
  if (!last || !before) return undefined;
  return {
    percent: before.value === 0 ? undefined : 100 * (last.value / before.value - 1),
    difference: last.value - before.value,
  };
}
