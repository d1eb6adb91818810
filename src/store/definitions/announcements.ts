import type { Announcement, AnnouncementType } from '../../model/announcement.ts';
import { given } from '../../model/given.ts';
import type { Instant } from '../../model/units.ts';
import { linkHash } from '../prints/print-chain.ts';
import { parseTexts } from '../read-record.ts';
import { type BrokenRecord, linkRecord } from '../record-links.ts';
import type { Reader, Writer } from '../store.ts';

export type RecordedAnnouncement = Announcement & {
  announcement_id: number;
  added: string[];
  removed: string[];
};

/** The content of an announcement, as in its row. */
type Said = Omit<Announcement, 'ticker' | 'added' | 'removed' | 'deed' | 'calls_off'> & {
  ticker: string | null;
  added: string;
  removed: string;
};
type Row = Said & { announcement_id: number; deed: string | null; calls_off: number };

/** The columns of what an announcement says. Before there were links its hash covered these, in this order. */
const SAID = 'type, ticker, title, body, announced_at, effective_at, added, removed';
const ROW = `announcement_id, ${SAID}, deed, calls_off`;

/** Records an announcement. @returns its id, greater than all before */
export function insertAnnouncement(writer: Writer, announcement: Announcement): number {
  const {
    type,
    ticker = null,
    title,
    body,
    announced_at,
    effective_at,
    added = [],
    removed = [],
    deed = null,
    calls_off = false,
  } = announcement;
  const dated = { type, ticker, title, body, announced_at, effective_at };
  const said: Said = { ...dated, added: JSON.stringify(added), removed: JSON.stringify(removed) };
  const { key } = writer.run(
    `INSERT INTO announcements (${SAID}, deed, calls_off)
     VALUES (@type, @ticker, @title, @body, @announced_at, @effective_at, @added, @removed, @deed, @calls_off)`,
    { ...said, deed, calls_off: Number(calls_off) },
  );
  linkRecord(writer, 'announcement', key);
  return key;
}

interface AnnouncementChain {
  announcements: number;
  /** The first one that was altered, or that follows a missing one. */
  broken?: BrokenRecord;
}

/** Counts the announcements and verifies the hashes of those from before there were links. */
export function followAnnouncements(reader: Reader): AnnouncementChain {
  const rows = reader.iterate<Said & { hash: Buffer | null }>(
    `SELECT ${SAID}, hash FROM announcements ORDER BY announcement_id`,
  );
  let last: Buffer | null = null;
  let announcements = 0;
  let broken: BrokenRecord | undefined;
  for (const { hash, ...said } of rows) {
    last = linkHash(last, said, []);
    if (hash && !hash.equals(last))
      broken ??= {
        kind: 'announcement',
        ticker: said.ticker,
        at: said.announced_at,
        reason: 'it was altered, or the one before it is missing',
      };
    announcements++;
  }
  return { announcements, ...given({ broken }) };
}

/** Selects announcements; both instants are inclusive. */
export interface AnnouncementFilter {
  type?: AnnouncementType | undefined;
  ticker?: string | undefined;
  from?: Instant | undefined;
  until: Instant;
}

/** Announcements, newest first. */
export function listAnnouncements(reader: Reader, filter: AnnouncementFilter): RecordedAnnouncement[] {
  const { type = null, ticker = null, from = 0, until } = filter;
  const rows = reader.all<Row>(
    `SELECT ${ROW} FROM announcements
     WHERE announced_at BETWEEN @from AND @until
       AND (@type IS NULL OR type = @type) AND (@ticker IS NULL OR ticker = @ticker)
     ORDER BY announced_at DESC, announcement_id DESC`,
    { type, ticker, from, until },
  );
  return rows.map(recorded);
}

/** One announcement by its id. */
export function findAnnouncement(reader: Reader, id: number): RecordedAnnouncement | undefined {
  const sql = `SELECT ${ROW} FROM announcements WHERE announcement_id = ?`;
  const row = reader.get<Row>(sql, id);
  return row && recorded(row);
}

/** The id of the newest announcement; 0 if there is none. */
export function lastAnnouncementId(reader: Reader): number {
  return reader.value<number>('SELECT max(announcement_id) FROM announcements') ?? 0;
}

/** The announcements recorded after one, in the order in which they were. */
export function listAnnouncementsAfter(reader: Reader, id: number): RecordedAnnouncement[] {
  const sql = `SELECT ${ROW} FROM announcements WHERE announcement_id > ? ORDER BY announcement_id`;
  return reader.all<Row>(sql, id).map(recorded);
}

/** The last notice for each rebalance of an index after an instant, by the instant it takes effect. */
export function lastRebalances(
  reader: Reader,
  ticker: string,
  after: Instant,
): Map<Instant, RecordedAnnouncement> {
  const sql = `SELECT ${ROW} FROM announcements
    WHERE ticker = ? AND effective_at > ? AND type = 'rebalance' ORDER BY announcement_id`;
  return new Map(reader.all<Row>(sql, ticker, after).map((row) => [row.effective_at, recorded(row)]));
}

/** The notices of corporate actions of an index that take effect after an instant, oldest notice first. */
export function listCorporateActions(reader: Reader, ticker: string, after: Instant): RecordedAnnouncement[] {
  const sql = `SELECT ${ROW} FROM announcements
    WHERE ticker = ? AND effective_at > ? AND type = 'corporate_action' ORDER BY announcement_id`;
  return reader.all<Row>(sql, ticker, after).map(recorded);
}

/**
 * When the first definition of an index was adopted that takes effect later than its adoption and was not announced;
 * undefined if all were announced.
 */
export function findUnannounced(reader: Reader, ticker: string): Instant | undefined {
  // The + 1: a definition adopted for immediate effect takes effect 1 ms later if its instant was already calculated.
  const sql = `SELECT min(adopted_at) FROM definitions AS changed
    WHERE kind = 'index' AND ticker = ? AND takes_effect_at > adopted_at + 1 AND NOT EXISTS (
      SELECT 1 FROM announcements AS told
      WHERE told.ticker = changed.ticker AND told.announced_at <= changed.adopted_at
        AND (told.effective_at = changed.takes_effect_at
          OR told.type = 'corporate_action' AND told.effective_at > changed.takes_effect_at))`;
  return reader.value(sql, ticker);
}

function recorded({ ticker, added, removed, deed, calls_off, ...row }: Row): RecordedAnnouncement {
  const name = `notice ${row.announcement_id}`;
  return {
    ...row,
    ...given({ ticker, deed, calls_off: calls_off === 1 ? true : undefined }),
    added: parseTexts(added, name),
    removed: parseTexts(removed, name),
  };
}
