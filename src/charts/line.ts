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
 * SVG path data of a series, scaled to fill a frame, time from left to right; a series without movement lies
 * in the middle. Empty without points.
 *
 * @param points in time order
 */
export function linePath(points: readonly Point[], frame: Frame): string {
  const range = rangeOf(points);
  const first = points[0];
  const last = points.at(-1);
  if (!range || !first || !last) return '';
  const span = last.at - first.at;
  const height = range.high - range.low;
  const x = (at: number) => frame.left + (span === 0 ? frame.width : ((at - first.at) / span) * frame.width);
  const y = (value: number) =>
    frame.top + (height === 0 ? frame.height / 2 : ((range.high - value) / height) * frame.height);
  const steps = points.map(({ at, value }) => `${rounded(x(at))} ${rounded(y(value))}`);
  return span === 0
    ? `M${rounded(frame.left)} ${rounded(y(first.value))}H${rounded(x(last.at))}`
    : `M${steps.join('L')}`;
}
