import { linePath, placed } from './line.ts';
import { element, picture } from './svg.ts';

const WIDTH = 96;
const HEIGHT = 26;

/**
 * A line the size of a word, in the colour of the surrounding text, with its end marked.
 *
 * @param values one per day, oldest first; null on a day without one, where the line is interrupted
 * @returns undefined for fewer than two values
 */
export function sparkline(values: readonly (number | null)[], label: string): string | undefined {
  const points = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || first === last) return undefined;
  const day = (WIDTH - 6) / (values.length - 1);
  const frame = { left: 2 + day * first.at, top: 3, width: day * (last.at - first.at), height: HEIGHT - 6 };
  const end = placed(points, frame).at(-1);
  return picture(
    { width: WIDTH, height: HEIGHT, label, class: 'sparkline' },
    element('path', {
      d: linePath(points, frame, 1),
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 1.5,
      'stroke-linecap': 'round',
    }),
    element('circle', { cx: end?.x, cy: end?.y, r: 2, fill: 'currentColor' }),
  );
}
