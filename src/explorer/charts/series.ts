import type { Point } from '../../charts/line.ts';

export const DAY_MS = 86_400_000;
/** The fewest changes from which a typical one is calculated. */
const FEWEST_CHANGES = 5;
/** How much older than its day a point may be with which the last is compared, as with published changes. */
const STALE_DAYS = 7;

/** A value of a line at an instant; null where the line is interrupted. */
export interface LinePoint {
  at: number;
  value: number | null;
}

/** The stretches of time up to its last point that a chart can show. */
const RANGES = [
  { label: '1 day', days: 1 },
  { label: '1 week', days: 7 },
  { label: '1 month', days: 30 },
  { label: '3 months', days: 90 },
] as const;
export const WHOLE = { label: 'All', days: Number.POSITIVE_INFINITY } as const;
export type Range = (typeof RANGES)[number] | typeof WHOLE;

/** The ranges that show a part of a series, two points at least, and the whole. */
export function rangesOf(points: readonly Point[]): Range[] {
  const isPart = ({ length }: readonly Point[]) => length > 1 && length < points.length;
  return [...RANGES.filter((range) => isPart(pointsIn(points, range))), WHOLE];
}

/** The points of a series within a range. @param points in time order */
export function pointsIn(points: readonly Point[], { days }: Range): readonly Point[] {
  const from = (points.at(-1)?.at ?? 0) - days * DAY_MS;
  return points.filter((point) => point.at >= from);
}

/** The points of a line, without its interruptions. */
export function pointsOf(line: readonly LinePoint[]): Point[] {
  return line.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]));
}

/** The line of a series that begins anew at some of its instants: it is interrupted just before them. */
export function brokenAt(points: readonly Point[], starts: readonly number[]): LinePoint[] {
  return points.flatMap((point, i) =>
    i > 0 && starts.includes(point.at) ? [{ at: point.at - 1, value: null }, point] : [point],
  );
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
 * @returns in percent of the value before, and in the unit of the values; undefined when the series is younger, or has
 * no point in the week up to then
 */
export function changeOver(
  points: readonly Point[],
  days: number,
): { percent: number | undefined; difference: number } | undefined {
  const last = points.at(-1);
  if (!last) return undefined;
  const then = last.at - days * DAY_MS;
  const before = points.findLast((point) => point.at <= then);
  if (!before || before.at < then - STALE_DAYS * DAY_MS) return undefined;
  return {
    percent: before.value === 0 ? undefined : 100 * (last.value / before.value - 1),
    difference: last.value - before.value,
  };
}

/**
 * How far a series typically moves in a day: the root mean square of its changes from one day to the next, in UTC.
 *
 * @param points in time order
 * @returns in the unit of the values; undefined for fewer than five changes
 */
export function typicalMove(points: readonly Point[]): number | undefined {
  const closes = new Map(points.map(({ at, value }) => [Math.floor(at / DAY_MS), value]));
  const changes = [...closes].flatMap(([day, value]) => {
    const before = closes.get(day - 1);
    return before === undefined ? [] : [value - before];
  });
  if (changes.length < FEWEST_CHANGES) return undefined;
  return Math.sqrt(changes.reduce((sum, each) => sum + each * each, 0) / changes.length);
}
