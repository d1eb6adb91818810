import type { Instant } from '../../model/units.ts';
import type { RejectRow } from '../feeds.ts';
import type { Reader, Value, Writer } from '../store.ts';

/** A row that was left out of a page. */
type LeftOut = Omit<RejectRow, 'fetch_id' | 'feed'> & { expected?: true };

/** What a page of a listing was read as. */
export interface PageReading {
  /** The cursor of the next page; absent on the last. */
  next?: string;
  /** The venue's ids of its rows, in order. */
  ids: readonly string[];
  /** Rows, the nested ones among them. */
  rows: number;
  /** Those among them that were left out; absent in notes from before they were kept. */
  left_out?: readonly LeftOut[];
  market_keys: readonly number[];
  event_keys: readonly number[];
  /** How many of its markets had a value, by field. */
  had: Readonly<Record<string, number>>;
}

/** A page by its feed and the SHA-256 of its bytes. */
export interface PageName {
  feed: string;
  digest: Buffer;
}

/** A page that was read before, when it was last seen, and how old the oldest of its quotes is. */
export interface PageNote extends PageName {
  seen_at: Instant;
  quoted_at: Instant;
  reading: PageReading;
}

/** What is noted of a page, if it was read under the same settings; undefined when it was not. */
export function findPageNote(
  reader: Reader,
  { feed, digest }: PageName,
  settings: string,
): PageNote | undefined {
  const row = reader.get<{ seen_at: Instant; quoted_at: Instant; reading: string }>(
    'SELECT seen_at, quoted_at, reading FROM page_notes WHERE feed = ? AND digest = ? AND settings = ?',
    feed,
    digest,
    settings,
  );
  return row && { ...row, feed, digest, reading: JSON.parse(row.reading) as PageReading };
}

/** Notes what a page was read as. Write it in the transaction of its rows. */
export function insertPageNote(
  writer: Writer,
  { feed, digest }: PageName,
  settings: string,
  reading: PageReading,
  seenAt: Instant,
): void {
  const keys = JSON.stringify(reading.market_keys);
  const oldest = writer.value<Instant>(
    `SELECT min(book_at) FROM json_each(?) AS wanted CROSS JOIN latest_quotes ON market_key = wanted.value`,
    keys,
  );
  writer.run(
    'INSERT OR REPLACE INTO page_notes (feed, digest, settings, seen_at, quoted_at, reading) VALUES (?, ?, ?, ?, ?, ?)',
    feed,
    digest,
    settings,
    seenAt,
    oldest ?? seenAt,
    JSON.stringify(reading),
  );
}

/** Something other than the page has changed a row that it lists. */
class Touched extends Error {}

/**
 * Marks what a page lists as seen again, if nothing else has touched it since the page was seen: then every row
 * and quote still is what the page says.
 *
 * @returns false when the page is to be read; nothing is marked then
 */
export function seePageAgain(writer: Writer, note: PageNote, seenAt: Instant): boolean {
  const { feed, digest, seen_at, reading } = note;
  const marketKeys = JSON.stringify(reading.market_keys);
  const quotedSince = writer.get(
    `SELECT 1 FROM json_each(?) AS wanted CROSS JOIN latest_quotes ON market_key = wanted.value
     WHERE book_at > ? OR last_at > ? LIMIT 1`,
    marketKeys,
    seen_at,
    seen_at,
  );
  if (quotedSince) return false;
  const update = (rows: number, sql: string, ...values: Value[]) => {
    if (writer.run(sql, ...values).changes < rows) throw new Touched();
  };
  const seeSql = (kind: 'market' | 'event') => `UPDATE ${kind}s SET last_seen_at = ?
    WHERE ${kind}_key IN (SELECT value FROM json_each(?)) AND last_seen_at = ?`;
  const { market_keys, event_keys } = reading;
  try {
    writer.part(() => {
      update(1, 'UPDATE page_notes SET seen_at = ? WHERE feed = ? AND digest = ?', seenAt, feed, digest);
      update(event_keys.length, seeSql('event'), seenAt, JSON.stringify(event_keys), seen_at);
      update(market_keys.length, seeSql('market'), seenAt, marketKeys, seen_at);
    });
    return true;
  } catch (thrown) {
    if (thrown instanceof Touched) return false;
    throw thrown;
  }
}

/** Forgets the pages of a feed, or those that were last seen before an instant. */
export function forgetPages(writer: Writer, feed: string, before: Instant = Number.MAX_SAFE_INTEGER): void {
  writer.run('DELETE FROM page_notes WHERE feed = ? AND seen_at < ?', feed, before);
}

/** Forgets the pages with a quote from before an instant: they are to be read whatever is noted of them. */
export function forgetPagesQuotedBefore(writer: Writer, before: Instant): void {
  writer.run('DELETE FROM page_notes WHERE quoted_at < ?', before);
}

/** Forgets the pages that were last seen at an instant: some of what they list is now as something else says. */
export function forgetPagesSeenAt(writer: Writer, seenAt: Instant): void {
  writer.run('DELETE FROM page_notes WHERE seen_at = ?', seenAt);
}
