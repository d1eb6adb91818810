import type { FilingDocument, FilingFeed } from '../../model/filing.ts';
import { DAY_MS } from '../../model/time.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader, Writer } from '../store.ts';
import { retryDocuments } from './document-bytes.ts';
import { insertDocumentsAdded } from './filing-changes.ts';
import { type FilingRow, findFiling } from './filings.ts';

export interface FilingDocumentRow extends FilingDocument {
  document_key: number;
  filing_id: number;
  /** SHA-256 of its bytes; null until they are fetched. */
  digest: Buffer | null;
  /** When other bytes were found in its place; null for an attachment of now. */
  replaced_at: Instant | null;
}

/** An attachment with its extracted text; nulls until that is extracted. */
export interface FilingTextRow extends FilingDocumentRow {
  pages: number | null;
  markdown: string | null;
  problem: string | null;
}

/**
 * Filings whose own page is due to be read: never read, changed in the list since, recent and not read for a day, or
 * still open (in review, pending) and not read for a week; the list does not show when attachments are added. Filings
 * never read come first, newest first, then those read longest ago.
 *
 * @param feeds the lists of the registry that is asked
 * @param sinceDay filings with an older status date are ignored
 * @param youngSince status date from which a filing counts as recent
 */
export function selectRecordsDue(
  reader: Reader,
  asked: { feeds: readonly FilingFeed[]; sinceDay: string; youngSince: string; now: Instant; limit: number },
): Pick<FilingRow, 'filing_id' | 'source_url' | 'document_count'>[] {
  return reader.all(
    `SELECT filing_id, source_url, document_count FROM filings
     WHERE feed IN (SELECT value FROM json_each(@feeds))
       AND coalesce(status_day, received_day, @sinceDay) >= @sinceDay AND (
       record_revision IS NULL OR record_revision < revision
       OR (record_read_at <= @now - ${DAY_MS} AND coalesce(status_day, received_day) >= @youngSince)
       OR (record_read_at <= @now - ${7 * DAY_MS} AND (status LIKE '%review%' OR status LIKE '%pending%'))
     )
     ORDER BY coalesce(record_read_at, 0), filing_id DESC LIMIT @limit`,
    { ...asked, feeds: JSON.stringify(asked.feeds) },
  );
}

/**
 * Stores the attachments listed on a filing's page. Those of the first reading belong to the receipt of the filing;
 * later ones are added to the change feed. An attachment that disappears from the page is kept; one that only moved to
 * another folder is fetched again, which shows whether it has changed.
 *
 * @returns the number of new attachments
 */
export function noteDocuments(
  writer: Writer,
  filingId: number,
  documents: readonly FilingDocument[],
  seenAt: Instant,
): number {
  const filing = findFiling(writer, filingId);
  if (!filing) return 0;
  for (const { document_key, url } of findMoved(listCurrent(writer, filingId), documents))
    writer.run(
      `UPDATE filing_documents SET url = ?, validators = NULL, fetched_revision = NULL, tries = 0
       WHERE document_key = ?`,
      url,
      document_key,
    );
  const known = new Set(listCurrent(writer, filingId).map((each) => each.url));
  const before = writer.value<number>('SELECT record_revision FROM filings WHERE filing_id = ?', filingId);
  for (const [position, { url, title }] of documents.entries())
    writer.run(
      `INSERT INTO filing_documents (filing_id, position, url, title, first_seen_at, last_seen_at)
       VALUES (@filingId, @position, @url, @title, @seenAt, @seenAt)
       ON CONFLICT (filing_id, url) WHERE replaced_at IS NULL DO UPDATE SET
         position = excluded.position, title = excluded.title, last_seen_at = excluded.last_seen_at`,
      { filingId, position, url, title, seenAt },
    );
  const added = documents.filter((each) => !known.has(each.url));
  if (before !== undefined && added.length > 0) insertDocumentsAdded(writer, filing, added, seenAt);
  retryDocuments(writer, filingId, before !== filing.revision);
  writer.run(
    'UPDATE filings SET record_revision = revision, record_read_at = ? WHERE filing_id = ?',
    seenAt,
    filingId,
  );
  return added.length;
}

/**
 * The attachments that a filing's page now has under another address: the registry has the same file in several folders,
 * and its name tells which it is.
 *
 * @returns their new addresses
 */
function findMoved(
  known: readonly FilingDocumentRow[],
  documents: readonly FilingDocument[],
): { document_key: number; url: string }[] {
  const addresses = new Set(known.map((each) => each.url));
  const fresh = Map.groupBy(
    documents.filter((each) => !addresses.has(each.url)),
    fileName,
  );
  const listed = new Set(documents.map((each) => each.url));
  const gone = known.filter((each) => !listed.has(each.url) && fileName(each) !== undefined);
  return [...Map.groupBy(gone, fileName)].flatMap(([name, [before, another]]) => {
    const [now, other] = fresh.get(name) ?? [];
    if (!before || another || !now || other) return [];
    return { document_key: before.document_key, url: now.url };
  });
}

/** The last part of an attachment's address, if that is the name of a file. */
function fileName({ url }: FilingDocument): string | undefined {
  return /\/([^/?#]+\.\w{2,5})$/.exec(url)?.[1]?.toLowerCase();
}

/** Records that a filing's page could not be read, so that others are tried first. */
export function noteRecordMissed(writer: Writer, filingId: number, seenAt: Instant): void {
  writer.run('UPDATE filings SET record_read_at = ? WHERE filing_id = ?', seenAt, filingId);
}

/** The order of attachments: those of now as on the page, then those that were replaced. */
const IN_ORDER = 'replaced_at IS NOT NULL, position, replaced_at DESC, document_key';

/** The attachments of a filing, in the order of its page, and behind them those that were replaced. */
export function listDocuments(reader: Reader, filingId: number): FilingDocumentRow[] {
  return reader.all(
    `SELECT document_key, filing_id, url, title, digest, replaced_at FROM filing_documents
     WHERE filing_id = ? ORDER BY ${IN_ORDER}`,
    filingId,
  );
}

function listCurrent(reader: Reader, filingId: number): FilingDocumentRow[] {
  return listDocuments(reader, filingId).filter((each) => each.replaced_at === null);
}

/** The attachments of a filing with their text, in the same order. */
export function listTexts(reader: Reader, filingId: number): FilingTextRow[] {
  return reader.all(
    `SELECT document_key, filing_id, url, title, digest, replaced_at, pages, markdown, problem
     FROM filing_documents LEFT JOIN document_texts USING (digest)
     WHERE filing_id = ? ORDER BY ${IN_ORDER}`,
    filingId,
  );
}

/** After this many timeouts an attachment is not read again by the same version of the extractor. */
const MOST_READINGS = 3;

/**
 * Digests of attachments whose text has yet to be extracted: never done, done by another version of the extractor, or
 * timed out. Those that timed out come last.
 */
export function selectTextsDue(reader: Reader, extractor: string, limit: number): Buffer[] {
  return reader.column(
    `SELECT digest FROM filing_documents LEFT JOIN document_texts INDEXED BY document_texts_read USING (digest)
     WHERE filing_documents.digest IS NOT NULL
       AND (extractor IS NOT ? OR late_readings BETWEEN 1 AND ${MOST_READINGS - 1})
     GROUP BY digest ORDER BY coalesce(late_readings, 0) > 0, max(filing_id) DESC LIMIT ?`,
    extractor,
    limit,
  );
}

/**
 * The result of extracting an attachment's text: the text, or why there is none. After a timeout (`late`) it may be
 * tried again, since the machine may have been busy.
 */
export type DocumentText = { markdown: string; pages: number | null } | { problem: string; late?: true };

/** Stores the extracted text of an attachment. */
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
