import { ForemarkError } from '../model/errors.ts';
import { utcDay } from '../model/time.ts';
import type { Instant } from '../model/units.ts';
import { findChangedPage, removeChecksums } from './page-checksums.ts';
import { listRuns } from './runs.ts';
import { openStore, type Reader } from './store.ts';
import { DAMAGED } from './store-errors.ts';

/** Up to this size, in bytes, every run has the file checked, which takes up to half a second. */
const SMALL = 256 * 2 ** 20;

/**
 * Refuses a store whose file is not as the last run left it. To be called before the store is opened.
 *
 * @returns whether it is; false where nothing is known of it
 * @throws ForemarkError store_unusable
 */
export function refuseChanged(path: string): boolean {
  const page = findChangedPage(path);
  if (page === 'unknown') removeChecksums(path);
  if (typeof page === 'number')
    throw new ForemarkError(
      'store_unusable',
      `store ${path}: ${DAMAGED}. Page ${page} is not as the last run left it; if another program changed it on ` +
        `purpose, remove ${path}.checksums`,
    );
  return page === 'none';
}

/**
 * Refuses a damaged store before anything is calculated from it: SQLite itself notices a damaged page only when it reads
 * it, and not always then. Since that reads the whole file, a large one is checked by the first run of a day only. On a
 * connection of its own, whose temporary tables and cache end with it.
 *
 * @throws ForemarkError store_unusable
 */
export function refuseDamaged(path: string, now: Instant): void {
  const store = openStore(path, { readonly: true });
  try {
    store.read((reader) => {
      const size = 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size';
      if (isDue(reader.value<number>(size) ?? 0, listRuns(reader, 1)[0]?.started_at, now))
        refuse(path, reader, 'quick_check');
    });
  } finally {
    store.close();
  }
}

/** Whether a run checks a store of some bytes. @param before when the last run started */
export function isDue(bytes: number, before: Instant | undefined, now: Instant): boolean {
  return bytes <= SMALL || before === undefined || utcDay(before) !== utcDay(now);
}

/** The same, but complete: it also compares each index with its table, which takes three times as long. */
export function refuseAnyDamage(reader: Reader, path: string): void {
  refuse(path, reader, 'integrity_check');
}

function refuse(path: string, reader: Reader, check: 'quick_check' | 'integrity_check'): void {
  const found = reader.value<string>(`PRAGMA ${check}(1)`);
  if (found !== 'ok')
    throw new ForemarkError('store_unusable', `store ${path}: ${DAMAGED}`, { detail: String(found) });
}
