import { sparkline } from '../../charts/sparkline.ts';
import { SPARKLINES_KEY, type Sparklines } from '../../routes/page-files.ts';
import type { Documents } from '../documents.ts';
import { drawing } from '../parts.ts';

/** Values of a month: its closes and the latest. */
const VALUES = 31;

/** The last month of all indices and rates, from one small file; empty if no cards are published. */
export async function findSparklines(documents: Documents): Promise<Sparklines> {
  const found = documents.outlet.cards ? await documents.findFile(SPARKLINES_KEY) : undefined;
  return found ?? { indices: {}, rates: {} };
}

/**
 * A sparkline of the last month.
 *
 * @param values one per day, null where there is none
 * @param of name of the index or rate, for the label
 */
export function sparklineOf(values: readonly (number | null)[] | undefined, of: string) {
  const month = values?.slice(-VALUES) ?? [];
  const seen = month.filter((value) => value !== null);
  const change = (seen.at(-1) ?? 0) - (seen[0] ?? 0);
  const trend = change > 0 ? 'rising' : change < 0 ? 'falling' : 'unchanged';
  return drawing(sparkline(month, `${of} over the last month, ${trend}`));
}
