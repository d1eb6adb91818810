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
 * Points in pixels, scaled to fill a frame, time from left to right. A flat series is in the middle, a single point at the
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
 * SVG path data of a series that fills a frame; a point that is joined to none becomes a dot. Empty without points.
 *
 * @param points in time order
 * @param longest the most time between two points that are joined
 */
export function linePath(points: readonly Point[], frame: Frame, longest = Number.POSITIVE_INFINITY): string {
  const isJoined = (i: number) => {
    const [before, point] = [points[i - 1], points[i]];
    return before !== undefined && point !== undefined && point.at - before.at <= longest;
  };
  return placed(points, frame)
    .map(({ x, y }, i) => {
      const place = `${rounded(x)} ${rounded(y)}`;
      if (isJoined(i)) return `L${place}`;
      return isJoined(i + 1) ? `M${place}` : `M${place}h0`;
    })
    .join('');
}
