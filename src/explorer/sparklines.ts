import { sparkline } from '../charts/sparkline.ts';
import type { Documents } from './documents.ts';
import { drawing } from './parts.ts';

interface Sparkline {
  values: number[];
  change_7d?: number;
}
type Sparklines = Record<'indices' | 'rates', Record<string, Sparkline>>;

/** The month's values of all indices and rates in one small file; nothing where no cards are published. */
export async function findSparklines(documents: Documents): Promise<Sparklines> {
  const found = documents.outlet.cards
    ? await documents.findFile<Sparklines>('cards/sparklines.json')
    : undefined;
  return found ?? { indices: {}, rates: {} };
}

/** The sparkline of a ticker. */
export function sparklineOf(line: Sparkline | undefined, ticker: string) {
  const [first, last] = [line?.values[0], line?.values.at(-1)];
  const trend = first === undefined || last === undefined ? '' : last >= first ? 'rising' : 'falling';
  return drawing(line && sparkline(line.values, `${ticker} over the last month, ${trend}`));
}
