import type { Point } from '../charts/line.ts';
import { marksKey } from '../routes/page-files.ts';
import { type LinePoint, pointsOf } from './charts/series.ts';
import { type Documents, encodeId } from './documents.ts';

/** Daily marks by name, one for each close, in time order; null where a name had none. */
export type DailyMarks = ReadonlyMap<string, readonly LinePoint[]>;

/** The daily marks of the names of an index or rate; empty if none are published. */
export async function findDailyMarks(
  documents: Documents,
  kind: 'indices' | 'rates',
  ticker: string,
): Promise<DailyMarks> {
  const { closes = [], names = {} } =
    (await documents.findFile(marksKey(kind, await encodeId(ticker)))) ?? {};
  return new Map(
    Object.entries(names).map(([name, marks]) => [
      name,
      closes.map((close, i) => ({ at: Date.parse(close), value: marks[i] ?? null })),
    ]),
  );
}

/** The daily marks of a name without their closes; undefined where it has none. */
export function valuesOf(marks: DailyMarks, name: string): (number | null)[] | undefined {
  return marks.get(name)?.map((point) => point.value);
}

/** The lowest and the highest mark of each close at which there were several. */
export function bandOf(marks: DailyMarks): { low: Point[]; high: Point[] } {
  const byClose = Map.groupBy([...marks.values()].flatMap(pointsOf), ({ at }) => at);
  const several = [...byClose].filter(([, points]) => points.length > 1).sort(([a], [b]) => a - b);
  const edge = (of: (...values: number[]) => number) =>
    several.map(([at, points]) => ({ at, value: of(...points.map(({ value }) => value)) }));
  return { low: edge(Math.min), high: edge(Math.max) };
}
