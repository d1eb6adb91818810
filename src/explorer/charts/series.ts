import type { Point } from '../../charts/line.ts';

export const DAY_MS = 86_400_000;
/** The fewest changes from which a typical one is calculated. */
const FEWEST_CHANGES = 5;

/** The last point at or before an instant; undefined before the first. */
function pointAt(points: readonly Point[], at: number): Point | undefined {
  return points.findLast((point) => point.at <= at);
}

/**
 * The points of a line as a table of instants, in seconds, and values. Just before each start it has a null, which
 * breaks the line.
 *
 * @param starts instants of points
 */
export function brokenAt(
  points: readonly Point[],
  starts: readonly number[],
): [seconds: number[], values: (number | null)[]] {
  const rows = points.flatMap(({ at, value }, i): { at: number; value: number | null }[] =>
    i > 0 && starts.includes(at)
      ? [
          { at: at - 1, value: null },
          { at, value },
        ]
      : [{ at, value }],
  );
  return [rows.map((row) => row.at / 1000), rows.map((row) => row.value)];
}

/** The place of the point nearest to an instant. @param points in time order, one at least */
export function nearestTo(points: readonly Point[], at: number): number {
  const after = points.findIndex((point) => point.at >= at);
  if (after < 0) return points.length - 1;
  const [before, next] = [points[after - 1], points[after]];
  return before && next && at - before.at < next.at - at ? after - 1 : after;
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

/**
 * How far a series typically moves in a day: the root mean square of its daily changes.
 *
 * @param points in time order
 * @returns in the unit of the values; undefined below five days
 */
export function typicalMove(points: readonly Point[]): number | undefined {
  const byDay = new Map(points.map(({ at, value }) => [Math.floor(at / DAY_MS), value]));
  const closes = [...byDay.values()];
  const changes = closes.slice(1).map((value, i) => value - (closes[i] ?? value));
  if (changes.length < FEWEST_CHANGES) return undefined;
  return Math.sqrt(changes.reduce((sum, each) => sum + each * each, 0) / changes.length);
}
