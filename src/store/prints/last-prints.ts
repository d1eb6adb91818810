import type { Instant } from '../../model/units.ts';
import type { Reader } from '../store.ts';

const LAST_HASH = {
  index: `SELECT lower(hex(hash)) FROM index_prints
    WHERE print_id = (SELECT max(print_id) FROM index_prints WHERE ticker = ? AND at <= ?)`,
  rate: `SELECT lower(hex(hash)) FROM rate_prints
    WHERE print_id = (SELECT max(print_id) FROM rate_prints WHERE ticker = ? AND at <= ?)`,
} as const;

/**
 * The hash, in hex, of the print recorded last among those of instants up to one, revisions too. It covers those
 * recorded before: as long as it is the same, so is all that was printed until then, in whichever store. Undefined
 * without a print.
 */
export function findLastPrintHash(
  reader: Reader,
  kind: keyof typeof LAST_HASH,
  ticker: string,
  until: Instant,
): string | undefined {
  return reader.value(LAST_HASH[kind], ticker, until);
}
