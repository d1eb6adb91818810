import { linePath, placed } from './line.ts';
import { element, picture } from './svg.ts';

const WIDTH = 96;
const HEIGHT = 26;

/**
 * A line the size of a word, in the colour of the surrounding text, with its end marked.
 *
 * @param values one per day, oldest first
 * @returns undefined for fewer than two values
 */
export function sparkline(values: readonly number[], label: string): string | undefined {
  if (values.length < 2) return undefined;
  const frame = { left: 2, top: 3, width: WIDTH - 6, height: HEIGHT - 6 };
  const points = values.map((value, i) => ({ at: i, value }));
  const end = placed(points, frame).at(-1);
  return picture(
    { width: WIDTH, height: HEIGHT, label, class: 'sparkline' },
    element('path', {
      d: linePath(points, frame),
      fill: 'none',
      stroke: 'currentColor',
      'stroke-width': 1.5,
    }),
    element('circle', { cx: end?.x, cy: end?.y, r: 2, fill: 'currentColor' }),
  );
}
