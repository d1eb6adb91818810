import type { Probability } from '../model/units.ts';
import { fallingBlocks } from './isotonic.ts';
import { exceeds } from './rounding.ts';

/** One line of a team's win totals: the chance that its wins reach the line. */
export interface LadderPoint {
  line: number;
  price: Probability;
}

/** The ladder made monotone: a higher line cannot be likelier. @param points by rising line */
export function fitLadder<Point extends LadderPoint>(points: readonly Point[]): Point[] {
  const means = fallingBlocks(points.map((point) => point.price)).map((block) => block.mean);
  return points.map((point, i) => ({ ...point, price: means[i] as number }));
}

/**
 * The two lines that enclose an even chance: the highest at or above one half and the next, which is below it. If all
 * lie on one side, the two nearest to one half; a single line is returned alone.
 *
 * @param points a monotone ladder, by rising line
 * @see Spec 2.4.2(3)
 * @example wrappingPair([{ line: 40, price: 0.7 }, { line: 45, price: 0.5 }, { line: 50, price: 0.2 }]) // 45 and 50
 */
export function wrappingPair<Point extends LadderPoint>(points: readonly Point[]): Point[] {
  const even = points.findLastIndex((point) => !exceeds(0.5, point.price));
  const first = Math.max(0, Math.min(even, points.length - 2));
  return points.slice(first, first + 2);
}
