import type { Probability } from '../model/units.ts';

/** One line of a team's win totals: the chance that its wins reach the line. */
export interface LadderPoint {
  line: number;
  price: Probability;
}

/**
 * The ladder made monotone: more wins are never likelier than fewer. Neighbours that break this get their
 * common mean, the least change in squares that does it (isotonic regression, pooling adjacent violators).
 *
 * @param points one a line, by rising line
 * @returns the fitted prices, in the same order
 * @example fitLadder([{ line: 40, price: 0.4 }, { line: 45, price: 0.6 }]) // [0.5, 0.5]
 */
export function fitLadder(points: readonly LadderPoint[]): Probability[] {
  const pools: { mean: number; count: number }[] = [];
  for (const { price } of points) {
    let pool = { mean: price, count: 1 };
    for (let last = pools.at(-1); last && last.mean < pool.mean; last = pools.at(-1)) {
      const count = last.count + pool.count;
      pool = { mean: (last.mean * last.count + pool.mean * pool.count) / count, count };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ mean, count }) => new Array<number>(count).fill(mean));
}

/**
 * The two lines that wrap the even one: the highest at or above one half and the next, which is below it.
 * Where all lie on one side, the two nearest to one half; a lone line stands alone.
 *
 * @param points a monotone ladder, by rising line
 * @see Spec 2.4.2(3)
 * @example wrappingPair([{ line: 40, price: 0.7 }, { line: 45, price: 0.5 }, { line: 50, price: 0.2 }]) // 45 and 50
 */
export function wrappingPair<Point extends LadderPoint>(points: readonly Point[]): Point[] {
  const even = points.findLastIndex((point) => point.price >= 0.5);
  const first = Math.max(0, Math.min(even, points.length - 2));
  return points.slice(first, first + 2);
}
