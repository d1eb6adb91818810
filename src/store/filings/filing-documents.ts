import type { FilingDocument } from '../../model/filing.ts';
import { DAY_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader, Writer } from '../store.ts';
import { insertFilingChange } from './filing-changes.ts';
import { type FilingRow, findFiling } from './filings.ts';

/** An attachment of a filing. */
export interface FilingDocumentRow extends FilingDocument {
  document_key: number;
  filing_id: number;
  /** SHA-256 of its bytes; null before they were fetched. */
  digest: Buffer | null;
}

/** An attachment with what was read out of it; nulls before it was read. */
export interface FilingTextRow extends FilingDocumentRow {
  pages: number | null;
  markdown: string | null;
  /** Why there is no text. */
  problem: string | null;
}

/** An attachment that is refused so often is asked for again only each time its filing's page is read. */
const MOST_TRIES = 5;
/** Tries of one that is not asked for again until its filing changes. */
const GIVEN_UP = MOST_TRIES + 1;

/**
 * Filings whose own page is to be read: never read, read before the list changed, young and not read for a day, or
 * still open (in review, pending) and not read for a week. Attachments come without a word in the list. The new ones
 * come first, the newest of them before the others, and then those asked for longest ago.
 *
 * @param sinceDay filings with an older status date are left alone
 * @param youngSince status date from which on a filing is young
 */
export function selectRecordsDue(
  reader: Reader,
  { sinceDay, youngSince, now, limit }: { sinceDay: string; youngSince: string; now: Instant; limit: number },
): Pick<FilingRow, 'filing_id' | 'source_url' | 'document_count'>[] {
  return reader.all(
    `SELECT filing_id, source_url, document_count FROM filings
     WHERE coalesce(status_day, received_day, @sinceDay) >= @sinceDay AND (
       record_revision IS NULL OR record_revision < revision
       OR (record_read_at <= @now - ${DAY_MS} AND coalesce(status_day, received_day) >= @youngSince)
       OR (record_read_at <= @now - ${7 * DAY_MS} AND (status LIKE '%review%' OR status LIKE '%pending%'))
     )
     ORDER BY coalesce(record_read_at, 0), filing_id DESC LIMIT @limit`,
    { sinceDay, youngSince, now, limit },
  );
}

/**
 * Notes the attachments that a filing's page names. Those of the first reading belong to the receipt; any that
 * comes later goes into the change feed. One that is gone from the page stays.
 *
 * @returns the number of attachments that were not known
 */
export function noteDocuments(
  writer: Writer,
  filingId: number,
  documents: readonly FilingDocument[],
  seenAt: Instant,
): number {
  const filing = findFiling(writer, filingId);
  if (!filing) return 0;
  const known = new Set(listDocuments(writer, filingId).map((each) => each.url));
  const before = writer.value<number>('SELECT record_revision FROM filings WHERE filing_id = ?', filingId);
  for (const [position, { url, title }] of documents.entries())
    writer.run(
      `INSERT INTO filing_documents (filing_id, position, url, title, first_seen_at, last_seen_at)
       VALUES (@filingId, @position, @url, @title, @seenAt, @seenAt)
       ON CONFLICT (filing_id, url) DO UPDATE SET
         position = excluded.position, title = excluded.title, last_seen_at = excluded.last_seen_at`,
      { filingId, position, url, title, seenAt },
    );
  const added = documents.filter((each) => !known.has(each.url));
  if (before !== undefined && added.length > 0) insertAdded(writer, filing, added, seenAt);
  writer.run(
    before === filing.revision
      ? `UPDATE filing_documents SET tries = ${MOST_TRIES - 1} WHERE filing_id = ? AND tries = ${MOST_TRIES}`
      : 'UPDATE filing_documents SET tries = 0 WHERE filing_id = ?',
    filingId,
  );
  writer.run(
    'UPDATE filings SET record_revision = revision, record_read_at = ? WHERE filing_id = ?',
    seenAt,
    filingId,
  );
  return added.length;
}

/** Notes that a filing's page was not to be had, so that others are asked for before it. */
export function noteRecordMissed(writer: Writer, filingId: number, seenAt: Instant): void {
  writer.run('UPDATE filings SET record_read_at = ? WHERE filing_id = ?', seenAt, filingId);
}

/** The attachments of a filing, in the order of its page. */
export function listDocuments(reader: Reader, filingId: number): FilingDocumentRow[] {
  return reader.all(
    `SELECT document_key, filing_id, url, title, digest FROM filing_documents
     WHERE filing_id = ? ORDER BY position, document_key`,
    filingId,
  );
}

/** The attachments of a filing with their text, in the order of its page. */
export function listTexts(reader: Reader, filingId: number): FilingTextRow[] {
  return reader.all(
    `SELECT document_key, filing_id, url, title, digest, pages, markdown, problem
     FROM filing_documents LEFT JOIN document_texts USING (digest)
     WHERE filing_id = ? ORDER BY position, document_key`,
    filingId,
  );
}

/**
 * Attachments to fetch: never fetched, or not since their filing changed. Those that were missed least often come
 * first, and among them those of the newest filings.
 */
export function selectDocumentsDue(reader: Reader, limit: number): FilingDocumentRow[] {
  return reader.all(
    `SELECT document_key, filing_id, url, filing_documents.title, filing_documents.digest
     FROM filing_documents JOIN filings USING (filing_id)
     WHERE (fetched_revision IS NULL OR fetched_revision < revision) AND tries < ${MOST_TRIES}
     ORDER BY tries, filing_id DESC, position LIMIT ?`,
    limit,
  );
}

/**
 * Notes the bytes that an attachment was found to hold. Other bytes than before under the same address are an
 * attachment that came later.
 *
 * @returns true when they are new
 */
export function noteDocumentBytes(
  writer: Writer,
  document: FilingDocumentRow,
  digest: Buffer,
  seenAt: Instant,
): boolean {
  writer.run(
    `UPDATE filing_documents SET digest = @digest, tries = 0,
       fetched_revision = (SELECT revision FROM filings WHERE filing_id = @filing_id) WHERE document_key = @key`,
    { digest, filing_id: document.filing_id, key: document.document_key },
  );
  if (document.digest?.equals(digest)) return false;
  const filing = document.digest && findFiling(writer, document.filing_id);
  if (filing) insertAdded(writer, filing, [{ url: document.url, title: document.title }], seenAt);
  return true;
}

/** Why an attachment could not be fetched: the registry failed or refused, or the file is longer than may be. */
export type DocumentMiss = 'failed' | 'refused' | 'too_long';

/** The tries of an attachment that was missed for the fifth time. One that was failed at is asked for again, however often. */
const TRIES_AT_LAST: Record<DocumentMiss, number> = {
  failed: MOST_TRIES - 1,
  refused: MOST_TRIES,
  too_long: GIVEN_UP,
};

/** Notes that an attachment could not be fetched. */
export function noteDocumentMissed(writer: Writer, documentKey: number, why: DocumentMiss): void {
  writer.run(
    `UPDATE filing_documents SET tries = CASE WHEN tries + 1 < ${MOST_TRIES} THEN tries + 1 ELSE ? END
     WHERE document_key = ?`,
    TRIES_AT_LAST[why],
    documentKey,
  );
}

/** An attachment that is late so often is not read again by the same reader. */
const MOST_READINGS = 3;

/**
 * Digests of attachments whose text was not read, or was by another version of the reader, or could not be read in time
 * yet; these come last.
 */
export function selectTextsDue(reader: Reader, extractor: string, limit: number): Buffer[] {
  return reader.column(
    `SELECT digest FROM filing_documents LEFT JOIN document_texts USING (digest)
     WHERE filing_documents.digest IS NOT NULL
       AND (extractor IS NOT ? OR late_readings BETWEEN 1 AND ${MOST_READINGS - 1})
     GROUP BY digest ORDER BY coalesce(late_readings, 0) > 0, max(filing_id) DESC LIMIT ?`,
    extractor,
    limit,
  );
}

/**
 * What came of reading an attachment: its text, or why there is none. One that was late may be read another time, since
 * the machine may have been busy.
 */
export type DocumentText = { markdown: string; pages: number | null } | { problem: string; late?: true };

/** Keeps what was read out of an attachment's bytes. */
export function upsertText(writer: Writer, digest: Buffer, extractor: string, text: DocumentText): void {
  const { late, ...said } = { pages: null, markdown: null, problem: null, late: false, ...text };
  writer.run(
    `INSERT INTO document_texts (digest, extractor, pages, markdown, problem, late_readings)
     VALUES (@digest, @extractor, @pages, @markdown, @problem, @late)
     ON CONFLICT (digest) DO UPDATE SET extractor = excluded.extractor, pages = excluded.pages,
       markdown = excluded.markdown, problem = excluded.problem,
       late_readings = @late * (1 + CASE extractor WHEN excluded.extractor THEN late_readings ELSE 0 END)`,
    { ...said, digest, extractor, late: Number(late) },
  );
}

function insertAdded(
  writer: Writer,
  { filing_id, feed, status }: FilingRow,
  documents: readonly FilingDocument[],
  observed_at: Instant,
): void {
  insertFilingChange(writer, {
    kind: 'documents_added',
    filing_id,
    feed,
    observed_at,
    day: null,
    status,
    status_before: null,
    documents: documents.map(({ url, title }) => ({ url, title })),
    backfill: false,
  });
}
