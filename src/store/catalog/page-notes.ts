import type { Instant } from '../../model/units.ts';
import type { RejectRow } from '../feeds.ts';
import type { Reader, Value, Writer } from '../store.ts';

/** A row of a page that was rejected. */
type LeftOut = Omit<RejectRow, 'fetch_id' | 'feed'> & { expected?: true };

/** The result of parsing a page of a listing. */
export interface PageReading {
  /** The cursor of the next page; absent on the last. */
  next?: string;
  /** The venue's own ids of the rows, in order. */
  ids: readonly string[];
  /** Number of rows, nested ones included. */
  rows: number;
  /** The rejected rows; absent in notes of older versions. */
  left_out?: readonly LeftOut[];
  market_keys: readonly number[];
  event_keys: readonly number[];
  /** How many of its markets had a value, by field. */
  had: Readonly<Record<string, number>>;
}

/** Identifies a page by its feed and the SHA-256 of its bytes. */
export interface PageName {
  feed: string;
  digest: Buffer;
}

/** A page that was parsed before, with the instants at which it was last seen and of its oldest quote. */
export interface PageNote extends PageName {
  seen_at: Instant;
  quoted_at: Instant;
  reading: PageReading;
}

/** The note of a page; undefined when it was not parsed before under the same settings. */
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

/** Stores the result of parsing a page. Must be in the same transaction as the page's rows. */
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

/** Thrown when something other than the page has changed a row that it lists. */
class Touched extends Error {}

/**
 * Marks the rows of an unchanged page as seen again, without parsing it. This is possible only if nothing else has
 * touched them since the page was last seen, so that every row and quote is still as the page says.
 *
 * @returns false when the page has to be parsed; nothing is marked then
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

/** Deletes the notes of a feed's pages: all, or those last seen before an instant. */
export function forgetPages(writer: Writer, feed: string, before: Instant = Number.MAX_SAFE_INTEGER): void {
  writer.run('DELETE FROM page_notes WHERE feed = ? AND seen_at < ?', feed, before);
}

/** Deletes the notes of pages with a quote from before an instant, so that these are parsed again. */
export function forgetPagesQuotedBefore(writer: Writer, before: Instant): void {
  writer.run('DELETE FROM page_notes WHERE quoted_at < ?', before);
}

/** Deletes the notes of pages last seen at an instant, because another source has changed a row that they list. */
export function forgetPagesSeenAt(writer: Writer, seenAt: Instant): void {
  writer.run('DELETE FROM page_notes WHERE seen_at = ?', seenAt);
}
