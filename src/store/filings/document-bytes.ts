import type { FilingFeed } from '../../model/filing.ts';
import type { Instant } from '../../model/units.ts';
import type { Validators } from '../../model/validators.ts';
import type { Reader, Writer } from '../store.ts';
import { insertDocumentsAdded } from './filing-changes.ts';
import { findFiling } from './filings.ts';

/** The address of an attachment to ask for. */
export interface DocumentDue {
  url: string;
  /** The validators of the bytes that all filings have of it; left out where some have none. */
  unless?: Validators;
}

/** An attachment refused this often is retried only once each time its filing's page is read. */
const MOST_TRIES = 5;
/** Value of `tries` for an attachment that is not retried until its filing changes. */
const GIVEN_UP = MOST_TRIES + 1;

const ADDRESS = 'url, iif(count(validators) = count(*), max(validators), NULL) AS validators';

/**
 * The attachments to fetch of the lists of a registry: never fetched, or not since their filing changed. Those with the
 * fewest failed tries come first, and among these those of the newest filings. An attachment that several filings name
 * is listed once.
 */
export function selectDocumentsDue(
  reader: Reader,
  feeds: readonly FilingFeed[],
  limit: number,
): DocumentDue[] {
  return reader
    .all<StoredDue>(
      `SELECT ${ADDRESS} FROM filing_documents JOIN filings USING (filing_id)
       WHERE feed IN (SELECT value FROM json_each(?)) AND replaced_at IS NULL
         AND (fetched_revision IS NULL OR fetched_revision < revision) AND tries < ${MOST_TRIES}
       GROUP BY url ORDER BY min(tries), max(filing_id) DESC, min(position) LIMIT ?`,
      JSON.stringify(feeds),
      limit,
    )
    .map(readDue);
}

/**
 * The attachments to ask for again, because they may have been replaced under their address, which neither list nor page
 * shows: those asked for longest ago first. Those that the page of their filing no longer names are left alone.
 *
 * @param sinceDay those of filings with an older status date are left alone too
 * @param askedUntil only those not asked for since then
 */
export function selectDocumentsToCheck(
  reader: Reader,
  asked: { feeds: readonly FilingFeed[]; sinceDay: string; askedUntil: Instant; limit: number },
): DocumentDue[] {
  return reader
    .all<StoredDue>(
      `SELECT ${ADDRESS} FROM filing_documents AS documents JOIN filings USING (filing_id)
       WHERE feed IN (SELECT value FROM json_each(@feeds)) AND replaced_at IS NULL
         AND coalesce(status_day, received_day, @sinceDay) >= @sinceDay
         AND documents.digest IS NOT NULL AND fetched_revision = revision AND asked_at <= @askedUntil
         AND documents.last_seen_at = (
           SELECT max(last_seen_at) FROM filing_documents WHERE filing_id = documents.filing_id)
       GROUP BY url ORDER BY min(asked_at), max(filing_id) DESC, min(position) LIMIT @limit`,
      { ...asked, feeds: JSON.stringify(asked.feeds) },
    )
    .map(readDue);
}

interface StoredDue {
  url: string;
  validators: string | null;
}

function readDue({ url, validators }: StoredDue): DocumentDue {
  return validators === null ? { url } : { url, unless: JSON.parse(validators) as Validators };
}

/**
 * Records the content of a fetched attachment, for all filings that name it. Content that replaces another under the
 * same address is a new attachment, which is added to the change feed; the earlier one stays, as replaced.
 *
 * @returns true when the content is new
 */
export function noteDocumentBytes(
  writer: Writer,
  url: string,
  digest: Buffer,
  seenAt: Instant,
  validators?: Validators,
): boolean {
  const others = writer
    .all<{ document_key: number; filing_id: number; title: string; digest: Buffer | null }>(
      `SELECT document_key, filing_id, title, digest FROM filing_documents
       WHERE url = ? AND replaced_at IS NULL ORDER BY filing_id`,
      url,
    )
    .filter((each) => !each.digest?.equals(digest));
  for (const { document_key, filing_id, title, digest: before } of others) {
    const filing = before && findFiling(writer, filing_id);
    if (!filing) continue;
    replaceDocument(writer, document_key, digest, seenAt);
    insertDocumentsAdded(writer, filing, [{ url, title, sha256: digest.toString('hex') }], seenAt);
  }
  writer.run(
    `UPDATE filing_documents SET digest = @digest, validators = @validators, asked_at = @seenAt, tries = 0,
       fetched_revision = ${REVISION}
     WHERE url = @url AND replaced_at IS NULL`,
    { url, digest, seenAt, validators: validators ? JSON.stringify(validators) : null },
  );
  return others.length > 0;
}

const REVISION = '(SELECT revision FROM filings WHERE filings.filing_id = filing_documents.filing_id)';

// Content that was there before is the attachment of then: it stands once, as the one of now.
function replaceDocument(writer: Writer, document_key: number, digest: Buffer, seenAt: Instant): void {
  writer.run(
    'UPDATE filing_documents SET replaced_at = ?, validators = NULL WHERE document_key = ?',
    seenAt,
    document_key,
  );
  writer.run(
    `DELETE FROM filing_documents WHERE digest = @digest AND replaced_at IS NOT NULL
       AND filing_id = (SELECT filing_id FROM filing_documents WHERE document_key = @document_key)`,
    { document_key, digest },
  );
  writer.run(
    `INSERT INTO filing_documents (filing_id, position, url, title, first_seen_at, last_seen_at, digest)
     SELECT filing_id, position, url, title, @seenAt, last_seen_at, @digest
     FROM filing_documents WHERE document_key = @document_key`,
    { document_key, digest, seenAt },
  );
}

/** Records that an attachment still holds the bytes whose validators were sent. */
export function noteDocumentUnchanged(writer: Writer, url: string, seenAt: Instant): void {
  writer.run(
    `UPDATE filing_documents SET asked_at = ?, tries = 0, fetched_revision = ${REVISION}
     WHERE url = ? AND replaced_at IS NULL AND validators IS NOT NULL`,
    seenAt,
    url,
  );
}

/** Why an attachment could not be fetched: the registry failed or refused, or the file is too long. */
export type DocumentMiss = 'failed' | 'refused' | 'too_long';

/**
 * Value of `tries` after the last regular try. After a failure of the registry an attachment is retried without limit.
 */
const TRIES_AT_LAST: Record<DocumentMiss, number> = {
  failed: MOST_TRIES - 1,
  refused: MOST_TRIES,
  too_long: GIVEN_UP,
};

/**
 * Records that an attachment could not be fetched, for all filings that name it. One that was only asked for again waits
 * for its next turn.
 */
export function noteDocumentMissed(writer: Writer, url: string, why: DocumentMiss, seenAt: Instant): void {
  writer.run(
    `UPDATE filing_documents SET asked_at = @seenAt, tries = CASE
         WHEN fetched_revision = ${REVISION} THEN tries
         WHEN tries + 1 < ${MOST_TRIES} THEN tries + 1
         ELSE @last END
     WHERE url = @url AND replaced_at IS NULL`,
    { url, seenAt, last: TRIES_AT_LAST[why] },
  );
}

/** Lets the attachments of a filing be tried again whose page was read: all if it has changed, else the refused ones once. */
export function retryDocuments(writer: Writer, filingId: number, hasChanged: boolean): void {
  writer.run(
    hasChanged
      ? 'UPDATE filing_documents SET tries = 0 WHERE filing_id = ?'
      : `UPDATE filing_documents SET tries = ${MOST_TRIES - 1} WHERE filing_id = ? AND tries = ${MOST_TRIES}`,
    filingId,
  );
}
