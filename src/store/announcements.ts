import type { Announcement, AnnouncementType } from '../model/announcement.ts';
import type { Instant } from '../model/units.ts';
import type { Reader, Writer } from './store.ts';

/** An announcement as it was recorded. */
export type RecordedAnnouncement = Announcement & { announcement_id: number };

/** Records an announcement. @returns its id; ids grow */
export function insertAnnouncement(writer: Writer, announcement: Announcement): number {
  const { ticker = null, added, removed, ...rest } = announcement;
  return writer.run(
    `INSERT INTO announcements (type, ticker, title, body, announced_at, effective_at, added, removed)
     VALUES (@type, @ticker, @title, @body, @announced_at, @effective_at, @added, @removed)`,
    { ...rest, ticker, added: JSON.stringify(added), removed: JSON.stringify(removed) },
  ).key;
}

/** Which announcements are wanted; instants are included. */
export interface AnnouncementFilter {
  type?: AnnouncementType;
  ticker?: string;
  from?: Instant;
  until: Instant;
}

type Row = Omit<RecordedAnnouncement, 'ticker' | 'added' | 'removed'> & {
  ticker: string | null;
  added: string;
  removed: string;
};

/** Announcements, newest first. */
export function listAnnouncements(reader: Reader, filter: AnnouncementFilter): RecordedAnnouncement[] {
  const { type = null, ticker = null, from = 0, until } = filter;
  const rows = reader.all<Row>(
    `SELECT * FROM announcements
     WHERE announced_at BETWEEN @from AND @until
       AND (@type IS NULL OR type = @type) AND (@ticker IS NULL OR ticker = @ticker)
     ORDER BY announced_at DESC, announcement_id DESC`,
    { type, ticker, from, until },
  );
  return rows.map(recorded);
}

/** One announcement by its id. */
export function findAnnouncement(reader: Reader, id: number): RecordedAnnouncement | undefined {
  const row = reader.get<Row>('SELECT * FROM announcements WHERE announcement_id = ?', id);
  return row && recorded(row);
}

/** Whether a rebalance of an index was announced for an instant. */
export function isAnnounced(reader: Reader, ticker: string, effectiveAt: Instant): boolean {
  const sql = `SELECT 1 FROM announcements WHERE ticker = ? AND effective_at = ? AND type = 'rebalance'`;
  return reader.get(sql, ticker, effectiveAt) !== undefined;
}

function recorded({ ticker: index, added, removed, ...row }: Row): RecordedAnnouncement {
  return {
    ...row,
    ...(index === null ? {} : { ticker: index }),
    added: JSON.parse(added) as string[],
    removed: JSON.parse(removed) as string[],
  };
}
