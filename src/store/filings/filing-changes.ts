import type { FilingChange, FilingChangeKind, FilingDocument, FilingFeed } from '../../model/filing.ts';
import type { Instant } from '../../model/units.ts';
import type { Reader, Writer } from '../store.ts';

/** Selects changes; a field left out does not filter. */
export interface FilingChangeFilter {
  /** Only rows after this one. */
  sinceSeq?: number | undefined;
  /** Only changes observed at or after this instant. */
  since?: Instant | undefined;
  kind?: FilingChangeKind | undefined;
  feed?: FilingFeed | undefined;
}

type StoredChange = Omit<FilingChange, 'documents' | 'backfill'> & { documents: string; backfill: number };

/** Appends a change to the feed. Must be in the same transaction as the write of its filing. */
export function insertFilingChange(writer: Writer, change: Omit<FilingChange, 'seq'>): void {
  writer.run(
    `INSERT INTO filing_changes (kind, filing_id, feed, observed_at, day, status, status_before, documents, backfill)
     VALUES (@kind, @filing_id, @feed, @observed_at, @day, @status, @status_before, @documents, @backfill)`,
    { ...change, documents: JSON.stringify(change.documents), backfill: change.backfill ? 1 : 0 },
  );
}

/** Appends to the feed that attachments were added to a filing, in the same way. */
export function insertDocumentsAdded(
  writer: Writer,
  { filing_id, feed, status }: Pick<FilingChange, 'filing_id' | 'feed' | 'status'>,
  documents: FilingDocument[],
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
    documents,
    backfill: false,
  });
}

/** Changes in the order in which they were observed. */
export function listFilingChanges(reader: Reader, filter: FilingChangeFilter, limit: number): FilingChange[] {
  const rows = reader.all<StoredChange>(
    `SELECT * FROM filing_changes
     WHERE seq > @sinceSeq AND observed_at >= @since
       AND (@kind IS NULL OR kind = @kind) AND (@feed IS NULL OR feed = @feed)
     ORDER BY seq LIMIT @limit`,
    {
      sinceSeq: filter.sinceSeq ?? 0,
      since: filter.since ?? 0,
      kind: filter.kind ?? null,
      feed: filter.feed ?? null,
      limit,
    },
  );
  return rows.map(readChange);
}

/** The sequence number of the newest change; 0 if there is none. */
export function findNewestChangeSeq(reader: Reader): number {
  return reader.value<number>('SELECT max(seq) FROM filing_changes') ?? 0;
}

/** The changes of one filing, oldest first. */
export function listChangesOfFiling(reader: Reader, filingId: number): FilingChange[] {
  return reader
    .all<StoredChange>('SELECT * FROM filing_changes WHERE filing_id = ? ORDER BY seq', filingId)
    .map(readChange);
}

function readChange({ documents, backfill, ...change }: StoredChange): FilingChange {
  return {
    ...change,
    documents: JSON.parse(documents) as FilingChange['documents'],
    backfill: backfill === 1,
  };
}
