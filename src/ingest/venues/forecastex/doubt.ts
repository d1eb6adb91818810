import type { PriceFile } from './parse-files.ts';
import { sessionEnd } from './sessions.ts';

/** A file with less than this share of the previous file's contracts is incomplete. */
const LEAST_SHARE = 0.5;
/** Of this many contracts at the end of a file, at least one must be in the next file. */
const LAST_CONTRACTS = 10;

/** Whether a file may be that of a day: a row says so, or none says of which day it is. */
export function mayBeOf(day: string, { days }: PriceFile): boolean {
  return days.size === 0 || days.has(day);
}

/**
 * Why a day's file may be of another day or incomplete; undefined when there is no sign of that. It matters because each
 * day is ingested once, and contracts that are in no file any more count as ended. A file that was cut between two rows
 * lacks the contracts at the end of the previous one.
 *
 * @param before the file that it is compared with: that of the day before, or of the same day as it was; if it is known
 */
export function doubtOf(day: string, file: PriceFile, before: PriceFile | undefined): string | undefined {
  if (!mayBeOf(day, file)) return `has only rows of ${[...file.days].sort().slice(0, 3).join(', ')}`;
  if (file.cut || (before?.ended && !file.ended)) return 'ends within a row';
  const listed = before?.contracts.size ?? 0;
  if (file.contracts.size < Math.max(1, listed * LEAST_SHARE))
    return `has ${file.contracts.size} contracts after ${listed} before`;
  if (file.rows.length === 0) return `has no row that can be read: ${file.rejections[0]?.reason}`;
  const last = (before?.rows ?? [])
    .filter((row) => row.expiration_date > sessionEnd(day))
    .slice(-LAST_CONTRACTS);
  const gone = last.filter((row) => !file.contracts.has(row.event_contract));
  if (last.length < LAST_CONTRACTS || gone.length < last.length) return undefined;
  return `ends before ${gone[0]?.event_contract}, which has not expired`;
}
