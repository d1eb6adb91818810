import { rounded } from './svg.ts';

/** A rectangle in pixels. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A value at an instant. */
export interface Point {
  at: number;
  value: number;
}

/** The lowest and the highest value; undefined without values. */
export function rangeOf(points: readonly Point[]): { low: number; high: number } | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { value } of points) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return points.length > 0 ? { low, high } : undefined;
}

/**
 * Points in pixels, scaled to fill a frame, time from left to right. A flat series is in the middle, a single instant at the
 * right.
 *
 * @param points in time order
 */
export function placed(points: readonly Point[], frame: Frame): { x: number; y: number }[] {
  const range = rangeOf(points);
  const first = points[0];
  const last = points.at(-1);
  if (!range || !first || !last) return [];
  const span = last.at - first.at;
  const height = range.high - range.low;
  return points.map(({ at, value }) => ({
    x: frame.left + (span === 0 ? frame.width : ((at - first.at) / span) * frame.width),
    y: frame.top + (height === 0 ? frame.height / 2 : ((range.high - value) / height) * frame.height),
  }));
}

/**
 * SVG path data of a series that fills a frame; a single instant becomes a line across it. Empty without points.
 *
 * @param points in time order
 */
export function linePath(points: readonly Point[], frame: Frame): string {
  const steps = placed(points, frame);
  const first = steps[0];
  const last = steps.at(-1);
  if (!first || !last) return '';
  return first.x === last.x
    ? `M${rounded(frame.left)} ${rounded(first.y)}H${rounded(last.x)}`
    : `M${steps.map(({ x, y }) => `${rounded(x)} ${rounded(y)}`).join('L')}`;
}
