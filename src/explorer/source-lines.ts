import type { Point } from '../charts/line.ts';
import { type Documents, encodeId } from './documents.ts';

/** What entered a rate at each daily close. */
export interface SourceLines {
  /** Marks in cents, by market. */
  byMarket: ReadonlyMap<string, Point[]>;
  /** The lowest and highest mark of the closes at which there were several. */
  low: Point[];
  high: Point[];
}

/** Cells of a line as the publisher writes them: quoted where they hold a comma or a quote. */
const CELL = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;

/** The lines of a rate's sources, out of its bulk file; undefined where none is published. */
export async function findSourceLines(
  documents: Documents,
  ticker: string,
): Promise<SourceLines | undefined> {
  if (!documents.outlet.bulk) return undefined;
  const text = await documents.findText(`bulk/rates/${await encodeId(ticker)}/constituents.csv`);
  return text === undefined ? undefined : parseSourceLines(text);
}

function parseSourceLines(text: string): SourceLines {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const columns = head.split(',');
  const byMarket = new Map<string, Point[]>();
  const ends = new Map<number, { low: number; high: number; count: number }>();
  for (const line of lines) {
    const cells = [...line.matchAll(CELL)].map((cell) => cell[1]?.replaceAll('""', '"') ?? cell[2] ?? '');
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    if (cell('state') !== 'included' || cell('mark') === '') continue;
    const at = Date.parse(cell('at'));
    const value = Number(cell('mark'));
    const points = byMarket.get(cell('market_id')) ?? [];
    points.push({ at, value });
    byMarket.set(cell('market_id'), points);
    const end = ends.get(at) ?? { low: value, high: value, count: 0 };
    ends.set(at, { low: Math.min(end.low, value), high: Math.max(end.high, value), count: end.count + 1 });
  }
  const several = [...ends].filter(([, end]) => end.count > 1);
  return {
    byMarket,
    low: several.map(([at, { low }]) => ({ at, value: low })),
    high: several.map(([at, { high }]) => ({ at, value: high })),
  };
}
