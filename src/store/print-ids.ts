import type { Instant } from '../model/units.ts';
import type { Reader } from './store.ts';

const LAST_ID = {
  index: 'SELECT max(print_id) AS last FROM index_prints WHERE ticker = ? AND at <= ?',
  rate: 'SELECT max(print_id) AS last FROM rate_prints WHERE ticker = ? AND at <= ?',
} as const;

/**
 * The id of the print recorded last among those of instants up to one, revisions too: as long as it is the
 * same, so is all that was printed until then. Undefined without a print.
 */
export function findLastPrintId(
  reader: Reader,
  kind: keyof typeof LAST_ID,
  ticker: string,
  until: Instant,
): number | undefined {
  return reader.get<{ last: number | null }>(LAST_ID[kind], ticker, until)?.last ?? undefined;
}
