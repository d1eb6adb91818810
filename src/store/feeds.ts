import type { EasternDay, Instant } from '../model/units.ts';
import type { Reader, Writer } from './store.ts';

/** The outcome of the last fetch of a feed. */
export interface FeedRow {
  feed: string;
  tried_at: Instant;
  /** The last time it answered completely. */
  good_at: Instant | null;
  condition: 'good' | 'partial' | 'failed';
  message: string | null;
  rows_read: number;
  rows_left_out: number;
  /** Cost of the last fetch. */
  requests: number;
  bytes: number;
  seconds: number;
  /** The US Eastern day of the last try, with the number of tries and of good ones that day. */
  day: EasternDay | null;
  tries_of_day: number;
  good_of_day: number;
}

/** Records the outcome of a fetch. `good_at` stays as it was unless the feed answered completely. */
export function upsertFeed(
  writer: Writer,
  feed: Omit<FeedRow, 'good_at' | 'tries_of_day' | 'good_of_day'>,
): void {
  writer.run(
    `INSERT INTO feeds (feed, tried_at, good_at, condition, message, rows_read, rows_left_out,
       requests, bytes, seconds, day, tries_of_day, good_of_day)
     VALUES (@feed, @tried_at, iif(@condition = 'good', @tried_at, NULL), @condition, @message, @rows_read,
       @rows_left_out, @requests, @bytes, @seconds, @day, 1, @condition = 'good')
     ON CONFLICT (feed) DO UPDATE SET
       tried_at = excluded.tried_at, good_at = coalesce(excluded.good_at, good_at), condition = excluded.condition,
       message = excluded.message, rows_read = excluded.rows_read, rows_left_out = excluded.rows_left_out,
       requests = excluded.requests, bytes = excluded.bytes, seconds = excluded.seconds, day = excluded.day,
       tries_of_day = iif(day = excluded.day, tries_of_day, 0) + 1,
       good_of_day = iif(day = excluded.day, good_of_day, 0) + excluded.good_of_day`,
    { ...feed },
  );
}

/** When a feed was last tried; undefined if never. */
export function findFeedTriedAt(reader: Reader, feed: string): Instant | undefined {
  return reader.value('SELECT tried_at FROM feeds WHERE feed = ?', feed);
}

/** Deletes the feeds last tried before an instant, which are no longer in the settings. */
export function forgetFeeds(writer: Writer, before: Instant): void {
  writer.run('DELETE FROM feeds WHERE tried_at < ?', before);
}

/** All feeds, by name. */
export function listFeeds(reader: Reader): FeedRow[] {
  return reader.all('SELECT * FROM feeds ORDER BY feed');
}

/** A rejected row of an answer. */
export interface RejectRow {
  fetch_id: number;
  feed: string;
  /** Position in the page, from 0. */
  position: number;
  native_id: string | null;
  path: string;
  reason: string;
}

/** Records a rejected row. */
export function insertReject(writer: Writer, reject: RejectRow): void {
  writer.run(
    `INSERT INTO rejects (fetch_id, feed, position, native_id, path, reason)
     VALUES (@fetch_id, @feed, @position, @native_id, @path, @reason)`,
    { ...reject },
  );
}

/** A reason why rows of a feed were rejected, with the number of rows and one example. */
export interface RejectReason {
  feed: string;
  rows: number;
  position: number;
  native_id: string | null;
  reason: string;
}

/** The reasons why a run rejected rows, by feed, most frequent first. Reasons that differ only in the value are one. */
export function countRejects(reader: Reader, runId: number): RejectReason[] {
  return reader.all(
    `SELECT rejects.feed, count(*) AS rows, position, native_id, reason
     FROM rejects JOIN fetches USING (fetch_id) WHERE run_id = ?
     GROUP BY rejects.feed, substr(reason, 1, instr(reason || ', got ', ', got '))
     ORDER BY rejects.feed, rows DESC, min(reject_id)`,
    runId,
  );
}

/** The rows that a run rejected, in order. */
export function listRejects(reader: Reader, runId: number, limit: number): RejectRow[] {
  return reader.all(
    `SELECT rejects.* FROM rejects JOIN fetches USING (fetch_id) WHERE run_id = ? ORDER BY reject_id LIMIT ?`,
    runId,
    limit,
  );
}
