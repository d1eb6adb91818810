import type { Point } from '../charts/line.ts';
import { marksKey } from '../routes/page-files.ts';
import { type Documents, encodeId } from './documents.ts';

/** Daily marks by name, each in time order. */
export type DailyMarks = ReadonlyMap<string, readonly Point[]>;

/** The daily marks of the names of an index or rate; empty if none are published. */
export async function findDailyMarks(
  documents: Documents,
  kind: 'indices' | 'rates',
  ticker: string,
): Promise<DailyMarks> {
  const found = await documents.findFile(marksKey(kind, await encodeId(ticker)));
  const closes = (found?.closes ?? []).map((close) => Date.parse(close));
  return new Map(
    Object.entries(found?.names ?? {}).map(([name, marks]) => [
      name,
      marks.flatMap((value, i) => {
        const at = closes[i];
        return value === null || at === undefined ? [] : [{ at, value }];
      }),
    ]),
  );
}

/** The daily marks of a name without their closes; undefined where it has none. */
export function valuesOf(marks: DailyMarks, name: string): number[] | undefined {
  return marks.get(name)?.map((point) => point.value);
}

/** The lowest and the highest mark of each close at which there were several. */
export function bandOf(marks: DailyMarks): { low: Point[]; high: Point[] } {
  const byClose = new Map<number, number[]>();
  for (const points of marks.values())
    for (const { at, value } of points) byClose.set(at, [...(byClose.get(at) ?? []), value]);
  const several = [...byClose].filter(([, values]) => values.length > 1).sort(([a], [b]) => a - b);
  return {
    low: several.map(([at, values]) => ({ at, value: Math.min(...values) })),
    high: several.map(([at, values]) => ({ at, value: Math.max(...values) })),
  };
}
