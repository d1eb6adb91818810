import type { Filing } from '../../model/filing.ts';
import type { Instant } from '../../model/units.ts';
import { bind, type RowOf } from '../row-values.ts';
import type { Reader, Writer } from '../store.ts';
import { insertFilingChange } from './filing-changes.ts';

const COLUMNS = [
  'filing_id',
  'feed',
  'org',
  'title',
  'description',
  'product_name',
  'product_type',
  'category',
  'subcategory',
  'products_affected',
  'remarks',
  'received_day',
  'status',
  'status_day',
  'document_count',
  'source_url',
] as const satisfies readonly (keyof Filing)[];

export type FilingRow = RowOf<Filing, (typeof COLUMNS)[number]> & {
  /** Grows by 1 whenever the registry changes its row. */
  revision: number;
  first_seen_at: Instant;
  /** When it was last seen in a list of its registry. */
  last_seen_at: Instant;
};

/** The columns of {@link FilingRow} in SQL. */
export const FILING_ROW = [...COLUMNS, 'revision', 'first_seen_at', 'last_seen_at']
  .map((each) => `filings.${each}`)
  .join(', ');

const INSERT = `INSERT INTO filings (${COLUMNS.join(', ')}, revision, first_seen_at, last_seen_at, digest)
  VALUES (${COLUMNS.map((each) => `@${each}`).join(', ')}, 1, @seen_at, @seen_at, @digest)`;

const UPDATE = `UPDATE filings SET ${COLUMNS.map((each) => `${each} = @${each}`).join(', ')},
  revision = revision + 1, last_seen_at = max(last_seen_at, @seen_at), digest = @digest WHERE filing_id = @filing_id`;

/**
 * Inserts or updates a filing from its registry's list, and adds an entry to the change feed if it is new, or if its
 * status or status date changed.
 *
 * @param backfill true until the registry was first read completely, when new filings cannot be told from old ones
 * @returns true when it is new or has changed
 */
export function upsertFiling(writer: Writer, filing: Filing, seenAt: Instant, backfill: boolean): boolean {
  const { row, digest } = bind(COLUMNS, filing);
  const known = writer.get<Pick<FilingRow, 'status' | 'status_day'> & { digest: Buffer }>(
    'SELECT status, status_day, digest FROM filings WHERE filing_id = ?',
    filing.filing_id,
  );
  if (known?.digest.equals(digest)) {
    const sql = 'UPDATE filings SET last_seen_at = max(last_seen_at, ?) WHERE filing_id = ?';
    writer.run(sql, seenAt, filing.filing_id);
    return false;
  }
  const { filing_id, feed, status, status_day = null, received_day = null } = filing;
  const change = { filing_id, feed, status, observed_at: seenAt, documents: [] };
  if (!known) {
    writer.run(INSERT, { ...row, seen_at: seenAt, digest });
    insertFilingChange(writer, {
      ...change,
      kind: 'received',
      day: received_day,
      status_before: null,
      backfill,
    });
    return true;
  }
  writer.run(UPDATE, { ...row, seen_at: seenAt, digest });
  if (known.status !== status || known.status_day !== status_day)
    insertFilingChange(writer, {
      ...change,
      kind: 'status_changed',
      day: status_day,
      status_before: known.status,
      backfill: false,
    });
  return true;
}

/** The list that a filing is stored from, and when it was last seen there; undefined when it is not stored. */
export function findListed(
  reader: Reader,
  filingId: number,
): Pick<FilingRow, 'feed' | 'last_seen_at'> | undefined {
  return reader.get('SELECT feed, last_seen_at FROM filings WHERE filing_id = ?', filingId);
}

/** Whether a filing is stored exactly as it is listed now. */
export function isFilingKnown(reader: Reader, filing: Filing): boolean {
  const { digest } = bind(COLUMNS, filing);
  return (
    reader.get('SELECT 1 FROM filings WHERE filing_id = ? AND digest = ?', filing.filing_id, digest) !==
    undefined
  );
}

/** A filing by its number; undefined when it is not stored. */
export function findFiling(reader: Reader, filingId: number): FilingRow | undefined {
  return reader.reading('filing', filingId, () =>
    reader.get(`SELECT ${FILING_ROW} FROM filings WHERE filing_id = ?`, filingId),
  );
}
